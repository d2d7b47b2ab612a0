"""Literal twins of the compiled draws: xoshiro256++ step by step, and replicates written out case by case."""

MASK = 2**64 - 1


def next_word(state):
    """Blackman and Vigna's xoshiro256++ on a list of four words, which moves on."""

    def rotated(x, k):
        return ((x << k) | (x >> (64 - k))) & MASK

    result = (rotated((state[0] + state[3]) & MASK, 23) + state[0]) & MASK
    shifted = (state[1] << 17) & MASK
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotated(state[3], 45)
    return result


def draws(n, state):
    """n draws from n cases, two from each word: low half first; a word with a biased half is dropped."""
    found = []
    while len(found) < n:
        word = next_word(state)
        products = [(word & 0xFFFFFFFF) * n, (word >> 32) * n]
        if all(p % 2**32 >= 2**32 % n for p in products):
            found += [p >> 32 for p in products]
    return found[:n]


def twice_u(pos, neg):
    """2U by comparing every pair."""
    return sum(2 * (x > y) + (x == y) for x in pos for y in neg)
