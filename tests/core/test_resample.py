import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import MT19937, Generator, SeedSequence

from rocscope.core.resampling import (
    as_generator,
    group_leakage,
    plan_chunks,
    spawn_streams,
    stratified_bootstrap,
    stratified_folds,
)
from rocscope.core.resampling.streams import CHUNK_SIZE
from rocscope.errors import RocInputError

CLASSES = st.lists(st.integers(2, 12), min_size=1, max_size=5)


def codes_of(sizes, seed=0):
    return np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))


@pytest.mark.parametrize("rng", [7, np.int64(7), SeedSequence(7)])
def test_a_seed_gives_the_numbers_of_numpy_every_time(rng):
    expected = np.random.default_rng(7).random(3)
    np.testing.assert_array_equal(as_generator(rng).random(3), expected)
    np.testing.assert_array_equal(as_generator(rng).random(3), expected)


def test_a_generator_is_used_itself_and_none_is_fresh():
    generator = np.random.default_rng(7)
    assert as_generator(generator) is generator
    assert as_generator(None).random() != as_generator(None).random()


@pytest.mark.parametrize("rng", [True, -1, 1.5, "7", [7], np.random.RandomState(7)])
def test_refuses_what_is_no_source_of_chance(rng):
    with pytest.raises(RocInputError) as caught:
        as_generator(rng)
    allowed = "None, a whole number of at least 0, a numpy Generator or a SeedSequence"
    assert str(caught.value) == f"rng must be {allowed}, got {rng!r}"


def test_streams_are_those_numpy_spawns():
    ours = [stream.random() for stream in spawn_streams(7, 4)]
    assert ours == [stream.random() for stream in np.random.default_rng(7).spawn(4)]
    assert len(set(ours)) == 4


def test_a_seed_sequence_is_not_changed_by_spawning_but_its_past_counts():
    seed = SeedSequence(7)
    taken = np.random.default_rng(seed.spawn(1)[0]).random()
    assert spawn_streams(seed, 1)[0].random() == spawn_streams(seed, 1)[0].random() != taken
    assert seed.n_children_spawned == 1


def test_a_generator_spawns_new_streams_at_every_call():
    generator = np.random.default_rng(7)
    assert spawn_streams(generator, 1)[0].random() != spawn_streams(generator, 1)[0].random()


def test_refuses_a_generator_that_cannot_spawn():
    legacy = np.random.RandomState(7)
    bits = legacy._bit_generator
    with pytest.raises(RocInputError, match="rng must be able to spawn streams"):
        spawn_streams(Generator(bits), 2)
    assert len(spawn_streams(Generator(MT19937(7)), 2)) == 2


@settings(deadline=None)
@given(st.integers(1, 500), st.integers(1, 70))
def test_chunks_cover_every_replicate_once(n, size):
    chunks = plan_chunks(n, 7, size=size)
    assert [i for chunk in chunks for i in chunk.range] == list(range(n))
    assert all(len(chunk.range) == size for chunk in chunks[:-1])
    assert len({chunk.seed.spawn_key for chunk in chunks}) == len(chunks)


def test_more_replicates_keep_the_numbers_of_the_first_chunks():
    few, many = plan_chunks(2 * CHUNK_SIZE, 7), plan_chunks(9 * CHUNK_SIZE, 7)
    assert [c.stream().random() for c in few] == [c.stream().random() for c in many[:2]]


def test_a_chunk_is_small_and_gives_the_same_numbers_again_also_after_pickling():
    chunk = plan_chunks(1000, 7)[3]
    sent = pickle.dumps(chunk)
    assert len(sent) < 1000
    # Spawning inside a task must not change what a second run of the task sees.
    first = [stream.random() for stream in chunk.stream().spawn(2)]
    assert [stream.random() for stream in chunk.stream().spawn(2)] == first
    assert [stream.random() for stream in pickle.loads(sent).stream().spawn(2)] == first


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plan_chunks(0, 7), "n_replicates must be a whole number of at least 1, got 0"),
        (lambda: plan_chunks(5, 7, size=0), "size must be a whole number of at least 1, got 0"),
        (lambda: spawn_streams(7, -1), "n must be a whole number of at least 0, got -1"),
    ],
)
def test_refuses_bad_counts(call, message):
    with pytest.raises(RocInputError) as caught:
        call()
    assert str(caught.value) == message


@settings(deadline=None)
@given(CLASSES, st.data())
def test_folds_are_even_in_every_class_and_in_all(sizes, data):
    n_folds = data.draw(st.integers(2, min(sizes)))
    codes = codes_of(sizes)
    fold = stratified_folds(codes, n_folds, data.draw(st.integers(0, 99)))
    for part in [fold, *(fold[codes == code] for code in range(len(sizes)))]:
        counts = np.bincount(part, minlength=n_folds)
        assert len(counts) == n_folds
        assert np.ptp(counts) <= 1


def test_folds_follow_the_seed():
    codes = codes_of([30, 50])
    np.testing.assert_array_equal(stratified_folds(codes, 10, 7), stratified_folds(codes, 10, 7))
    assert (stratified_folds(codes, 10, 7) != stratified_folds(codes, 10, 8)).any()


def test_every_pair_of_a_class_meets_equally_often():
    codes = np.repeat([0, 1], 4)
    folds = np.array([stratified_folds(codes, 2, stream) for stream in spawn_streams(7, 3000)])
    together = (folds[:, :1] == folds[:, 1:4]).mean(axis=0)
    # Chance puts a second case into the fold of the first with probability 1/3; five standard errors.
    np.testing.assert_allclose(together, 1 / 3, atol=5 * np.sqrt(2 / 9 / 3000))


@pytest.mark.parametrize(
    ("codes", "n_folds", "message"),
    [
        ([0, 0, 1, 1], 1, "n_folds must be a whole number of at least 2, got 1"),
        ([0, 0, 1, 1], 2.0, "n_folds must be a whole number of at least 2, got 2.0"),
        ([0, 0, 1, 1], 5, "n_folds must be at most the size of the smallest class, 2 (class 0), got 5"),
        ([0, 0, 0, 1], 2, "n_folds must be at most the size of the smallest class, 1 (class 1), got 2"),
        (
            ["well", "ill", "ill", "well", "well"],
            3,
            "n_folds must be at most the size of the smallest class, 2 (class 'ill'), got 3",
        ),
    ],
)
def test_refuses_folds_that_cannot_hold_every_class(codes, n_folds, message):
    with pytest.raises(RocInputError) as caught:
        stratified_folds(np.array(codes), n_folds, 7)
    assert str(caught.value) == message


@settings(deadline=None)
@given(CLASSES, st.integers(0, 99))
def test_stratified_replicates_keep_the_class_sizes(sizes, seed):
    codes = codes_of(sizes)
    rows = stratified_bootstrap(codes, seed)
    np.testing.assert_array_equal(np.bincount(codes[rows]), sizes)
    assert rows.min() >= 0
    assert rows.max() < len(codes)


def test_stratified_replicates_draw_every_row_of_a_class_equally_often():
    codes, generator = np.array([0, 1, 0, 1, 1]), np.random.default_rng(7)
    drawn = np.concatenate([stratified_bootstrap(codes, generator) for _ in range(4000)])
    # Each row is expected once per replicate; its variance is 1 - 1/n_class, below 1.
    np.testing.assert_allclose(np.bincount(drawn) / 4000, 1, atol=5 / np.sqrt(4000))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 3))))
def test_leaking_groups_are_those_with_two_folds(cases):
    groups = np.array([group for group, _ in cases], dtype="U1")
    fold = np.array([fold for _, fold in cases], dtype=int)
    expected = [g for g in "abcd" if len({f for group, f in cases if group == g}) > 1]
    assert group_leakage(groups, fold).tolist() == expected


def test_groups_and_folds_must_have_one_length():
    with pytest.raises(RocInputError, match="groups and fold must have the same length"):
        group_leakage(np.array([1, 2]), np.array([1]))
