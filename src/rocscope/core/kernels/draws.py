"""Bootstrap draws by xoshiro256++ in registers, far quicker than numba's np.random; counts of sign sums."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled, inlined

word: Any = np.uint64


@inlined
def _next_word(s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """One 64-bit word and the next state (Blackman and Vigna, xoshiro256++ 1.0)."""
    total = s0 + s3
    result = ((total << word(23)) | (total >> word(41))) + s0
    shifted = s1 << word(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << word(45)) | (s3 >> word(19))
    return result, s0, s1, s2, s3


@inlined
def _next_pair(n: Any, reject: Any, s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """Two whole numbers below n from one word, each exactly equally likely.

    Lemire's multiplication with rejection: a product whose low half is below `reject` = 2^32 mod n
    would favour some numbers, so the word is drawn again.
    """
    low_half = word(0xFFFFFFFF)
    bits, s0, s1, s2, s3 = _next_word(s0, s1, s2, s3)
    first = (bits & low_half) * n
    second = (bits >> word(32)) * n
    while ((first & low_half) < reject) | ((second & low_half) < reject):
        bits, s0, s1, s2, s3 = _next_word(s0, s1, s2, s3)
        first = (bits & low_half) * n
        second = (bits >> word(32)) * n
    return first >> word(32), second >> word(32), s0, s1, s2, s3


@inlined
def _draw_into(counts: Any, n: Any, s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """Count n draws from n cases."""
    size, one = word(n), counts.dtype.type(1)
    reject = (word(1) << word(32)) % size
    for _ in range(n // 2):
        first, second, s0, s1, s2, s3 = _next_pair(size, reject, s0, s1, s2, s3)
        counts[first] += one
        counts[second] += one
    if n % 2:
        first, second, s0, s1, s2, s3 = _next_pair(size, reject, s0, s1, s2, s3)
        counts[first] += one
    return s0, s1, s2, s3


@inlined
def _sum_of_draws(values: Any, n: Any, s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """Add up the values of n draws from n cases."""
    size = word(n)
    reject = (word(1) << word(32)) % size
    total = np.int64(0)
    for _ in range(n // 2):
        first, second, s0, s1, s2, s3 = _next_pair(size, reject, s0, s1, s2, s3)
        total += values[first] + values[second]
    if n % 2:
        first, second, s0, s1, s2, s3 = _next_pair(size, reject, s0, s1, s2, s3)
        total += values[first]
    return total, s0, s1, s2, s3


@compiled
def draw_counts(n: int, n_replicates: int, state: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How often each of n cases is drawn in n draws with replacement, one row per replicate.

    `state` moves on, so that a further call continues the stream. Counts have 8 bits, so that they stay in
    the cache: a case drawn 256 times has a chance below n / 256!.
    """
    counts = np.zeros((n_replicates, n), np.uint8)
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for replicate in range(n_replicates):
        s0, s1, s2, s3 = _draw_into(counts[replicate], n, s0, s1, s2, s3)
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return counts


@compiled
def bootstrap_twice_u(
    below: NDArray[np.int32],
    not_above: NDArray[np.int32],
    n_neg: int,
    n_replicates: int,
    state: NDArray[np.uint64],
) -> NDArray[np.int64]:
    """2U of stratified bootstrap replicates.

    For every positive, `below` and `not_above` count the negatives below it and not above it, so only
    the negatives need a table: the drawn positives look up how many drawn negatives they beat.
    """
    n_pos = below.size
    untied = np.array_equal(below, not_above)
    drawn = np.empty(n_neg, np.int32)
    beaten = np.empty(n_neg + 1, np.int32)
    placement = np.empty(n_pos, np.int64)
    result = np.empty(n_replicates, np.int64)
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for replicate in range(n_replicates):
        drawn[:] = 0
        s0, s1, s2, s3 = _draw_into(drawn, n_neg, s0, s1, s2, s3)
        total = np.int32(0)
        for k in range(n_neg):
            beaten[k] = total
            total += drawn[k]
        beaten[n_neg] = total
        if untied:  # one look-up will do
            for i in range(n_pos):
                placement[i] = 2 * beaten[below[i]]
        else:
            for i in range(n_pos):
                placement[i] = beaten[below[i]] + beaten[not_above[i]]
        result[replicate], s0, s1, s2, s3 = _sum_of_draws(placement, n_pos, s0, s1, s2, s3)
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return result


# ---- Standard normal numbers inside compiled code ---------------------------------------------------------

# One word has 64 bits, of which a number from -1 to 1 takes the upper 53.
STEP = 2.0**-52


@compiled
def draw_normals(n: int, state: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Draw n standard normals by Marsaglia's polar method; `state` of xoshiro256++ moves on.

    A point in the unit disc gives two of them; the second of the last pair is dropped where n is odd.
    """
    values = np.empty(n)
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for place in range(0, n, 2):
        x, y, square = 0.0, 0.0, 0.0
        while square >= 1.0 or square == 0.0:
            first, s0, s1, s2, s3 = _next_word(s0, s1, s2, s3)
            second, s0, s1, s2, s3 = _next_word(s0, s1, s2, s3)
            x = float(first >> word(11)) * STEP - 1.0
            y = float(second >> word(11)) * STEP - 1.0
            square = x * x + y * y
        scale = math.sqrt(-2.0 * math.log(square) / square)
        values[place] = x * scale
        if place + 1 < n:
            values[place + 1] = y * scale
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return values


@compiled
def draw_cases(
    n: int, mean: NDArray[np.float64], root: NDArray[np.float64], state: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Draw n cases of a normal class, (cases, p); the covariance is the square of the triangle `root`."""
    p = mean.size
    noise = draw_normals(n * p, state)
    cases = np.empty((n, p))
    for i in range(n):
        for k in range(p):
            value = mean[k]
            for j in range(k + 1):
                value += root[k, j] * noise[i * p + j]
            cases[i, k] = value
    return cases


# ---- Sums of numbers with either sign, counted by meeting in the middle -----------------------------------
# Both loops here merge two sorted lists. What comes next in a merge cannot be predicted and must be waited
# for; so the comparison is a number, not a branch, and four merges, begun at the quarters of the result, wait
# side by side.

Wholes = NDArray[np.int64]

# Beyond every sum; far enough from the ends of 64 bits that adding a sum does not overflow.
BEYOND = 2**61
# Places are unsigned: of a signed one numba checks each time whether it counts from the end.
place: Any = np.uint64


@compiled
def _taken(first: Wholes, second: Wholes, gap: int, at: Any, size: Any) -> Any:
    """Of the `at` smallest of `first` and `second + gap`, count those of the second, first of equals."""
    low, high = max(at, size) - size, min(at, size)
    while low < high:
        middle = (low + high) >> place(1)
        if second[middle] + gap <= first[at - place(1) - middle]:
            low = middle + place(1)
        else:
            high = middle
    return low


@compiled
def _is_second(first: Wholes, second: Wholes, gap: int, at: Any, taken: Any) -> Any:
    """Whether the next of the merge comes from `second`, of which `taken` among `at` came so far: 0 or 1."""
    return place(second[taken] + gap <= first[at - taken])


@compiled
def _merge_one(sums: Wholes, shift: int, at: Any, taken: Any, last: Any) -> Any:
    """Write the next of `sums + shift` and `sums - shift`, mirrored, and count those of the second anew."""
    sums[last - at] = max(-sums[at - taken] - shift, shift - sums[taken])
    return taken + _is_second(sums, sums, -2 * shift, at, taken)


@compiled
def _fill_sorted_sums(values: Wholes, sums: Wholes) -> None:
    """Write all sums of the values with either sign into `sums`, ascending.

    Each further value makes two shifted copies of a sorted list; merging them keeps the order without
    a sort. The list mirrors itself around zero: the merge gives the half above zero, behind the old list
    it reads from, and its mirror overwrites that.
    """
    sums[0] = 0
    size = place(1)
    for value in values:
        shift, last = abs(value), size + size - place(1)
        step = size >> place(2)
        two, three = step + step, step + step + step
        a, b = place(0), _taken(sums, sums, -2 * shift, step, size)
        c, d = _taken(sums, sums, -2 * shift, two, size), _taken(sums, sums, -2 * shift, three, size)
        for k in range(step):
            a = _merge_one(sums, shift, k, a, last)
            b = _merge_one(sums, shift, step + k, b, last)
            c = _merge_one(sums, shift, two + k, c, last)
            d = _merge_one(sums, shift, three + k, d, last)
        for k in range(three + step, size):  # lists of one and two have no quarters
            a = _merge_one(sums, shift, k, a, last)
        for k in range(size):
            sums[k] = -sums[last - k]
        size = last + place(1)


@compiled
def _count_reaching(first: Wholes, second: Wholes, bar: int, size: Any) -> Any:
    """Count the pairs whose difference first - second reaches the bar; both end with one beyond all sums.

    The second list mirrors itself, so that differences are as good as sums. In the merge of `first` and
    `second + bar` each of the first has its partners before it: the number taken, summed over all
    steps, counts them, and besides 0 + 1 + 2 + ... for the steps that take from the second.
    """
    step = size >> place(1)
    two, three = step + step, step + step + step
    a, b = place(0), _taken(first, second, bar, step, size)
    c, d = _taken(first, second, bar, two, size), _taken(first, second, bar, three, size)
    count = place(0)
    for k in range(step):
        count += a + b + c + d
        a += _is_second(first, second, bar, k, a)
        b += _is_second(first, second, bar, step + k, b)
        c += _is_second(first, second, bar, two + k, c)
        d += _is_second(first, second, bar, three + k, d)
    return count - (size * (size - place(1)) >> place(1))


@compiled
def count_sign_sums(steps: Wholes, bar: Wholes) -> NDArray[np.float64]:
    """Count for every row the sign vectors whose signed sum of the row is at least its bar."""
    n = steps.shape[1]
    half = (n + 1) // 2
    row = np.zeros(2 * half, np.int64)  # an odd row gets a zero, which doubles every count
    first, second = np.empty(2**half + 1, np.int64), np.empty(2**half + 1, np.int64)
    first[-1] = second[-1] = BEYOND
    counts = np.empty(len(steps), np.float64)
    for i in range(len(steps)):
        row[:n] = steps[i]
        _fill_sorted_sums(row[:half], first)
        _fill_sorted_sums(row[half:], second)
        counts[i] = _count_reaching(first, second, bar[i], place(2**half)) / 2 ** (2 * half - n)
    return counts
