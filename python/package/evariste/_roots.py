"""Square roots of arrays of a prime field: all elements go the same way."""

import numpy as np


def parities(a):
    """The lowest bit of each canonical number, in the array's shape."""
    return (a.to_words()[..., 0] & np.uint64(1)).astype(bool)


def roots(a):
    """Even roots of the elements that are squares, and which those are; of others whatever the computation gives.

    Modulo p ≡ 3 (mod 4) and p ≡ 5 (mod 8) one power; else by Tonelli and Shanks in steps that are alike for all elements
    (RFC 9380, appendix I.4).
    """
    field, p = a._field, _prime(a)
    if p % 4 == 3:
        root = a ** ((p + 1) // 4)
    elif p % 8 == 5:
        root = a ** ((p + 3) // 8)
        root = np.where(root * root == a, root, root * field(pow(2, (p - 1) // 4, p)))
    else:
        root = _tonelli_shanks(a, p)
    return np.where(parities(root), -root, root), root * root == a


def _prime(a):
    if a._field.kind != "prime":
        raise TypeError(f"elements of {a._field.text} have no square roots here\nhelp: fields of prime order have them")
    return a._field.order


def _tonelli_shanks(a, p):
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    c = a._field(pow(next(z for z in range(2, p) if pow(z, (p - 1) // 2, p) == p - 1), odd, p))
    power = a ** ((odd - 1) // 2)
    root = power * a
    # Of order 2^k at most, k one less each time.
    left = root * power
    for k in range(twos, 1, -1):
        other = left
        for _ in range(k - 2):
            other = other * other
        wrong = other != 1
        root, c, left = np.where(wrong, root * c, root), c * c, np.where(wrong, left * c * c, left)
    return root


def sqrt(a):
    """The even roots; an error names the first element that has none."""
    found, squares = roots(a)
    if not squares.all():
        index = np.unravel_index(int(np.flatnonzero(~squares.reshape(-1))[0]), a.shape)
        where = "the element" if a.shape == () else f"element {int(index[0]) if len(index) == 1 else tuple(map(int, index))}"
        raise ValueError(f"{where} is {int(a[index])}, which is no square\nhelp: is_square() tells the squares")
    return found


def is_square(a):
    """Which elements are squares, 0 among them: by Euler's criterion."""
    p = _prime(a)
    return a ** ((p - 1) // 2) != p - 1
