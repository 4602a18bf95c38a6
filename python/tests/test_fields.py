"""Fields: descriptions, construction, conversions, and what is refused."""

import copy
import pickle

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import evariste as ev
from reference import FIELDS, NORMAL, edges, same


@pytest.mark.parametrize("text", FIELDS + NORMAL)
def test_a_description_is_one_object(text):
    field = ev.Field(text)
    assert field is ev.Field(field.text) is ev.Field(field)
    assert pickle.loads(pickle.dumps(field)) is field and copy.deepcopy(field) is field
    assert field.bits == (field.order - 1).bit_length()
    assert field.words == -(-field.bits // 64) and field.bytes == -(-field.bits // 8)
    assert field.kind in ("prime", "ring", "binary") and str(field).startswith("Field(")


def test_numbers_describe_fields_too():
    assert ev.Field(2**61 - 1) is ev.Field("2^61-1") and ev.Field("2^61-1").order == 2**61 - 1


@pytest.mark.parametrize(
    "text,error,said",
    [
        ("2^255 - 2^256", ValueError, "negative"),
        ("2^", ValueError, "a number is missing"),
        ("no such field", ValueError, "there is no field called"),
        ("GF(2^8):onb2", ValueError, "no normal basis of type 2"),
        ("int256", ValueError, "no layout for arrays"),
        ("int64", ValueError, "no layout for arrays"),
        (3.5, TypeError, "no description"),
        (None, TypeError, "no description"),
        (True, TypeError, "no description"),
    ],
)
def test_what_is_no_description(text, error, said):
    with pytest.raises(error, match=said):
        ev.Field(text)


@pytest.mark.parametrize("text", FIELDS + NORMAL)
def test_constructors(text):
    field = ev.Field(text)
    assert field.zeros((2, 0, 3)).shape == (2, 0, 3)
    same(field.zeros(3), [0, 0, 0])
    assert field.zeros(()).shape == () and int(field.zeros(())) == 0
    same(field.arange(5) * field.ones(5), np.arange(5, dtype=object))
    same(field.arange(1, 6, 2), [1, 3, 5])
    m = field.random((4, 4), seed=5)
    assert np.array_equal(m @ field.eye(4), m) and np.array_equal(field.identity(4) @ m, m)
    same(field.full((2, 2), 1), [[1, 1], [1, 1]])
    for like in (np.zeros_like, np.empty_like):
        assert like(m).shape == (4, 4) and not like(m).any()
    assert np.array_equal(np.ones_like(m) * m, m)
    with pytest.raises(ValueError, match="negative"):
        field.zeros((2, -1))
    with pytest.raises(TypeError):
        field.zeros(2.5)
    with pytest.raises(ValueError, match="too large"):
        field.zeros((1 << 30, 1 << 30))


def test_more_than_there_is_memory_for():
    field = ev.Field("2^255-19")
    a = field.zeros(1 << 18)
    for run in (lambda: field.zeros(1 << 44), lambda: field.ones((1 << 20, 1 << 24)), lambda: np.multiply.outer(a, a),
                lambda: np.broadcast_to(a, (1 << 25, 1 << 18)).copy(), lambda: field.eye(1 << 22)):  # fmt: skip
        with pytest.raises((MemoryError, ValueError), match="elements|allocate|too large"):
            run()


@pytest.mark.parametrize("text", FIELDS + NORMAL)
def test_random_is_the_same_for_a_seed_and_below_the_order(text):
    field = ev.Field(text)
    a, b = field.random((50, 20), seed=9), field.random((50, 20), seed=9)
    assert np.array_equal(a, b) and not np.array_equal(a, field.random((50, 20), seed=10))
    numbers = a.to_objects().reshape(-1)
    assert max(numbers) < field.order
    # All bits are drawn: of a thousand elements the largest is in the upper half, and each bit is set somewhere (the
    # highest one of an order just above a power of two hardly ever).
    low = (1 << field.bits - 1) - 1
    assert max(numbers) >= field.order // 2 and np.bitwise_or.reduce(numbers) & low == low


def test_random_is_what_it_was():
    # Digits that seeds gave once are given for ever.
    assert ev.Field("2^255-19").random(2, seed=1).to_ints() == [
        54923050718923213315058712883064397338956223864075590326306802246207523710207,
        23691011457145323014361118145587025005709715227916955572838598114063565025961,
    ]


def drawn(order, count, seed):
    """Numbers below an order, of the words that NumPy's generator gives; what is too large is drawn again, last."""
    source, bits = np.random.PCG64(seed), (order - 1).bit_length()
    each = -(-bits // 64)

    def some(count):
        words = source.random_raw(each * count).reshape(count, each) if count else []
        # Of the highest word the highest bits count.
        return [sum(int(w) << 64 * i for i, w in enumerate(own[:-1])) + (int(own[-1]) >> 64 * each - bits << 64 * each - 64) for own in words]

    numbers = some(count)
    again = [i for i, number in enumerate(numbers) if number >= order]
    while again:
        for i, number in zip(again, some(len(again))):
            numbers[i] = number
        again = [i for i in again if numbers[i] >= order]
    return numbers


@pytest.mark.parametrize("text", ["2^31-1", "2^64+13", "2^61-1", "bls12-381-fr", "3", "GF(2^163)", "GF(2^64)", "p521", "2^128+51"])
def test_random_is_of_the_words_of_numpys_generator(text):
    # Of 2^64 + 13 and 3 many are drawn again; parts are of 512 numbers or some thousand.
    field = ev.Field(text)
    for count in (0, 1, 7, 2_000, 20_000):
        seed = np.random.SeedSequence(count, spawn_key=(3,))
        assert field.random(count, seed).to_ints() == drawn(field.order, count, seed)


@given(st.sampled_from(FIELDS + NORMAL), st.data())
def test_bytes_words_and_numbers_go_both_ways(text, data):
    field = ev.Field(text)
    numbers = data.draw(st.lists(st.one_of(st.sampled_from(edges(field)), st.integers(0, field.order - 1)), max_size=20))
    a = field(numbers)
    assert a.to_ints() == numbers and field.from_ints(numbers).to_ints() == numbers
    for order in ("little", "big"):
        wanted = b"".join(x.to_bytes(field.bytes, order) for x in numbers)
        assert a.to_bytes(order) == wanted
        for buffer in (wanted, bytearray(wanted), memoryview(wanted), np.frombuffer(b"x" + wanted, np.uint8)[1:]):
            assert field.from_bytes(buffer, byteorder=order).to_ints() == numbers
    words = a.to_words()
    assert words.shape == (len(numbers), field.words) and words.dtype == np.uint64
    assert field.from_words(words).to_ints() == field.from_words(words.reshape(-1)).to_ints() == numbers
    strided = np.zeros((len(numbers), 2 * field.words), np.uint64)
    strided[:, ::2] = words
    assert field.from_words(strided[:, ::2]).to_ints() == numbers


@given(st.sampled_from(FIELDS), st.sampled_from("bBhHiIlLqQ?"), st.data())
def test_every_integer_type_of_numpy(text, code, data):
    field = ev.Field(text)
    dtype = np.dtype(code)
    low, high = (0, 1) if code == "?" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if field.kind == "binary":
        low, high = 0, min(high, field.order - 1)
    numbers = data.draw(st.lists(st.one_of(st.just(low), st.just(high), st.integers(low, high)), max_size=9))
    given_array = np.array(numbers, dtype)
    same(field(given_array), np.array([int(x) % field.order for x in numbers], object))
    same(field(given_array[::-1]), np.array([int(x) % field.order for x in numbers], object)[::-1])


def test_any_integer_is_its_residue():
    field = ev.Field("2^255-19")
    same(field([-1, 2**255, -(2**600), 0]), [2**255 - 20, 19, -(2**600) % field.order, 0])
    same(field(-1), np.array(field.order - 1, object))
    same(field(field([1, 2])), [1, 2])
    same(field([[True, np.int8(-1)]]), [[1, field.order - 1]])


def test_numbers_that_are_no_elements_of_a_binary_field():
    field = ev.Field("GF(2^8)")
    for bad in ([1, 256], [-1], np.array([300]), np.array([-1]), 1 << 70):
        with pytest.raises(ValueError, match="is no element"):
            field(bad)


@pytest.mark.parametrize("bad", [1.5, [1.0, 2.0], np.ones(3), np.array(1.0), "5", b"5", [None], np.array(["a"]), 1j, [[1, 2.5]]])
def test_floats_and_texts_are_refused(bad):
    field = ev.Field("2^61-1")
    with pytest.raises(TypeError, match="is no integer|no integer"):
        field(bad)
    a = field([1, 2, 3])
    if not isinstance(bad, (bytes, str)):
        with pytest.raises((TypeError, ValueError)):
            a * bad


def test_wrong_buffers():
    field = ev.Field("2^255-19")
    with pytest.raises(ValueError, match="33 bytes are not a whole number of elements: one element has 32 bytes"):
        field.from_bytes(bytes(33))
    with pytest.raises(ValueError, match="5 words are not a whole number"):
        field.from_words(np.zeros(5, np.uint64))
    with pytest.raises(ValueError, match="one element has 4"):
        field.from_words(np.zeros((2, 3), np.uint64))
    with pytest.raises(TypeError, match="uint64"):
        field.from_words(np.zeros(4, np.int64))
    with pytest.raises(ValueError, match=r"element 1 is 0x7f.*ed, which is not below"):
        field.from_bytes(bytes(32) + field.order.to_bytes(32, "little"))
    with pytest.raises(ValueError, match="byte order"):
        field.from_bytes(bytes(32), byteorder="middle")
    with pytest.raises(TypeError):
        field.from_bytes("text")
    # An element far behind is named by its place in the whole.
    words = np.zeros((300_000, 4), np.uint64)
    words[290_000] = 2**64 - 1
    with pytest.raises(ValueError, match="element 290000 is"):
        field.from_words(words)


def test_inverses_of_zero_name_their_index():
    field = ev.Field("2^255-19")
    with pytest.raises(ZeroDivisionError, match=r"element 2 is 0, which has no inverse in 2\^255 - 19"):
        field([1, 5, 0, 0]).inverse()
    with pytest.raises(ZeroDivisionError, match=r"element \(1, 0\)"):
        1 / field([[1, 2], [0, 3]])
    with pytest.raises(ZeroDivisionError, match="the element is 0"):
        field([1, 2]) / 0
    with pytest.raises(ZeroDivisionError, match="element 1 is 0"):
        field([1, 0]) ** -1
    with pytest.raises(ZeroDivisionError, match="element 1 is 0"):
        field([1, 0]) ** np.array([3, -2])
    with pytest.raises(ZeroDivisionError, match="element 1 is 9, which has no inverse in 15"):
        ev.Field("15")([2, 9]).inverse()


def test_mixed_fields():
    a, b = ev.Field("2^61-1")([1, 2]), ev.Field("2^255-19")([1, 2])
    for run in (lambda: a + b, lambda: a == b, lambda: np.dot(a, b), lambda: np.concatenate([a, b]), lambda: a.field(b),
                lambda: a.__setitem__(0, b[0]), lambda: ev.fma(a, a, b), lambda: np.add(a, 1, out=b), lambda: a @ b):
        with pytest.raises(TypeError, match="different fields"):
            run()


def test_what_has_no_meaning():
    a = ev.Field("2^61-1")([3, 1, 2])
    for run, said in [
        (lambda: a < a, "no order"), (lambda: np.sort(a), "no order"), (lambda: np.max(a), "no order"),
        (lambda: np.sin(a), "no meaning"), (lambda: a // 2, "no meaning"), (lambda: a % 2, "no meaning"),
        (lambda: abs(a), "absolute"), (lambda: float(a[0]), "no float"), (lambda: 2**a, "exponent"),
        (lambda: a**a, "exponent"), (lambda: a**1.5, "no integer"), (lambda: np.fft.fft(a), "does not take"),
        (lambda: np.add(a, a, where=[True, False, True]), "where"), (lambda: np.add(a, a, dtype=np.int64), "dtype"),
        (lambda: ev.fma(1, 2, 3), "no array"), (lambda: np.add.reduceat(a, [0, 1]), "no meaning"),
    ]:  # fmt: skip
        with pytest.raises(TypeError, match=said):
            run()
    with pytest.raises(IndexError):
        np.arange(9)[a]
    with pytest.raises(IndexError):
        a[a]
    with pytest.raises(TypeError):
        hash(a)
    with pytest.raises(TypeError):
        len(a[0])
    with pytest.raises(ValueError, match="ambiguous"):
        bool(a)
    with pytest.raises(ValueError, match="coefficients"):
        ev.lincomb([1], [a, a])


def test_numbers_and_texts_of_arrays():
    field = ev.Field("2^255-19")
    a = field([[1, 2], [3, 4]])
    assert int(a[0, 1]) == 2 and a.item(3) == 4 and a[1, 0].item() == 3 and list(range(5))[a[0, 1]] == 2
    assert np.asarray(a).dtype == object and np.asarray(a, np.int64).tolist() == [[1, 2], [3, 4]]
    assert a.tolist() == [[1, 2], [3, 4]] and [row.to_ints() for row in a] == [[1, 2], [3, 4]] and 3 in a and 9 not in a
    assert repr(a) == "Array([[1, 2],\n       [3, 4]], field='2^255 - 19')"
    long = field.arange(1000)
    assert repr(long) == "Array([0, 1, 2, ..., 997, 998, 999], shape=(1000,), field='2^255 - 19')"
    assert "<td><code>...</code></td>" in long._repr_html_() and "1000 of 2^255 - 19" in long._repr_html_()
    assert repr(field.zeros(0)) == "Array([], field='2^255 - 19')"
    assert repr(field.zeros((0, 2)))
    assert (a != 0).all() and not (a == None).any()  # noqa: E711


def test_threads():
    before = ev.get_threads()
    field = ev.Field("2^255-19")
    a = field.random(100_000, seed=1)
    wanted = (a * a).to_bytes()
    for threads in (1, 2, 3):
        ev.set_threads(threads)
        assert (a * a).to_bytes() == wanted and int(np.dot(a, a)) == int((a * a).sum())
    with pytest.raises(ValueError, match="threads"):
        ev.set_threads(-1)
    ev.set_threads(before)


def test_explanations_and_tables(monkeypatch, tmp_path):
    monkeypatch.setenv("EVARISTE_CACHE", str(tmp_path))
    table = ev.explain("2^255-19")
    assert "mul" in table["operation"] and "mul" in str(table) and table.lanes >= 1 and "<table>" in table._repr_html_()
    with pytest.raises(ValueError, match="no such operation"):
        ev.explain("2^255-19", ["divide"])
    pandas = pytest.importorskip("pandas")
    assert isinstance(table.to_pandas(), pandas.DataFrame) and len(table.to_pandas()) == len(table)
    names = ev.reproduce()
    assert len(names) >= 4
    with pytest.raises(ValueError, match="no reproduction called `x`"):
        ev.reproduce("x")
    with pytest.raises(ValueError, match="seconds"):
        ev.tune("2^31-1", seconds=-1)
    ranking = ev.tune("2^31-1", quick=True, only=["montgomery-1x32"])
    assert "only a part" in ranking.remembered and "montgomery-1x32" in ranking["layout"] and any(ranking["ns"])
    assert ranking.data["field"] == "2^31 - 1" and list(ranking.to_pandas().columns)
