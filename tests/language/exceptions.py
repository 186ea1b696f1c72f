"""Exceptions that carry values: what is active in them is refused, everything else passes."""

import logging
import math

import numpy as np

from tests.language.corpus import program, uniform


class OutOfRange(ValueError):
    def __init__(self, value, bound):
        super().__init__(f"{value} beyond {bound}")
        self.value, self.bound = value, bound


def checked(v, bound):
    if v > bound:
        raise OutOfRange(v, bound)
    return v * v


@program("exceptions with data", args=lambda: (1.4,), refused="may")
def clipped_by_exception(x):
    try:
        return checked(x * 2.0, 2.0)
    except OutOfRange as error:
        return error.bound**2 + 0.1 * (error.value - error.bound) ** 2


@program("exceptions with data", args=lambda: (0.4,), refused="may")
def exception_not_raised(x):
    try:
        y = checked(x * 2.0, 2.0)
    except OutOfRange as error:
        y = error.value
    else:
        y = y + x
    return y


@program("exceptions with data", args=lambda: (uniform(8), 0.9), refused="may")
def first_above_threshold(x, limit):
    class Found(Exception):
        pass

    try:
        for v in x:
            if v * v > limit:
                raise Found(v)
    except Found as found:
        return found.args[0] ** 3
    return 0.0


@program("exceptions with data", args=lambda: (uniform(8),), refused="may")
def skips_bad_entries(x):
    total = 0.0
    for v in x:
        try:
            total += checked(v, 1.1)
        except OutOfRange as e:
            total -= 0.5 * e.value
    return total


@program("exceptions with data", args=lambda: (2.0,), refused="may")
def exception_carries_a_tuple(x):
    def step(t):
        if t > 3.0:
            raise StopIteration((t, t**2))
        return t

    try:
        return step(x * 2.0)
    except StopIteration as stop:
        a, b = stop.value
        return a * b


@program("exceptions with data", args=lambda: (1.5,), refused="may")
def reraised_with_more(x):
    def inner(t):
        try:
            return checked(t, 1.0)
        except OutOfRange as e:
            raise OutOfRange(e.value * x, e.bound) from e

    try:
        return inner(x)
    except OutOfRange as e:
        return e.value


@program("exceptions with data", args=lambda: (uniform(8),))
def finally_counts(x):
    done = []
    total = 0.0
    for k in range(4):
        try:
            total += checked(x[k], 1.2)
        except OutOfRange:
            continue
        finally:
            done.append(x[k])
    return total + sum(done)


@program("exceptions with data", args=lambda: (1.4,))
def message_printed(x):
    try:
        y = checked(x * 2.0, 2.0)
    except OutOfRange as error:
        print("bad", error)
        y = 3.0 * x
    return y


@program("exceptions with data", args=lambda: (1.4,))
def message_kept(x):
    note = ""
    try:
        y = checked(x * 2.0, 2.0)
    except OutOfRange as error:
        note = str(error)
        y = 3.0 * x
    return y * (1.0 + len(note) * 0.0)


@program("exceptions with data", args=lambda: (1.4,))
def logged(x):
    try:
        y = checked(x * 2.0, 2.0)
    except (OutOfRange, ZeroDivisionError) as error:
        logging.getLogger("q").debug("oops %s", error)
        y = x**2
    return y


@program("exceptions with data", args=lambda: (1.4,))
def type_of_it(x):
    try:
        y = checked(x * 2.0, 2.0)
    except Exception as error:
        y = x * 2.0 if isinstance(error, ValueError) else x
        if type(error).__name__ == "OutOfRange":
            y = y + x
    return y


@program("exceptions with data", args=lambda: (1.4,))
def reraises(x):
    try:
        y = checked(x, 2.0)
    except ValueError as error:
        raise RuntimeError("no") from error
    return y


@program("exceptions with data", args=lambda: (np.array([[2.0, 0.0], [0.0, -1.0]]),))
def cholesky_or(A):
    try:
        L = np.linalg.cholesky(A)
    except np.linalg.LinAlgError as error:
        print(f"{error}")
        L = A * 0.5
    return np.sum(L**2)


@program("exceptions with data", args=lambda: (1.4,))
def errors_collected(x):
    errors = []
    total = 0.0
    for k in range(3):
        try:
            total += checked(x * k, 2.0)
        except OutOfRange as error:
            errors.append(error)
    return total * (1.0 + len(errors))


@program("exceptions with data", args=lambda: (1.4,))
def data_compared(x):
    try:
        y = checked(x * 2.0, 2.0)
    except OutOfRange as error:
        y = x if error.value > 2.5 else x * 5.0
    return y


@program("exceptions with data", args=lambda: (1.4,), refused="may")
def last_error_after_loop(x):
    last = None
    for k in range(3):
        try:
            checked(x * k, 2.0)
        except OutOfRange as error:
            last = error
    return last.value if last is not None else x


@program("exceptions with data", args=lambda: (1.4,), refused="may")
def text_read_back(x):
    try:
        y = checked(x * 2.0, 2.0)
    except OutOfRange as error:
        y = float(str(error).split()[0])
    return y


def bounded(a, c):
    if a > c:
        raise ValueError("too large")
    return a * c


@program("try", args=lambda: (0.6, uniform(5)))
def returns_before_it_may_raise(x, v):
    try:
        if x > 0.25:
            return x * v[1]
        y = bounded(x * 0.1 + 1.0, 0.25)
    except ValueError:
        y = 3.0 * x
    return x * x + y


@program("try", args=lambda: (0.6, uniform(5)), refused="may")
def returns_from_a_loop_in_try(x, v):
    try:
        for e in v:
            if e > 0.25:
                return e * x
        y = bounded(x * 0.1 + 1.0, 0.25)
    except ValueError:
        y = 3.0 * x
    return x * x + y


@program("try", args=lambda: (0.6, uniform(5)))
def breaks_or_fails(x, v):
    y = x
    for k in range(5):
        try:
            if v[k] > 0.9:
                break
            y = bounded(y * 0.1 + 1.0, 0.25)
        except ValueError:
            y = 3.0 * y * v[k]
    return x * x + y


@program("try", args=lambda: (0.6, uniform(5)), refused="may")
def while_in_try(x, v):
    try:
        k = 0
        while k < 5:
            if v[k] > 0.9:
                return v[k] * x
            k += 1
        y = bounded(x * 0.1 + 1.0, 0.25)
    except ValueError:
        y = 3.0 * x
    return x * x + y


@program("try", args=lambda: (0.6, uniform(5)), refused="may")
def sum_until_it_fails(x, v):
    s = 0.0
    for k in range(5):
        try:
            s += v[k]
            if s > 1.6:
                return s * x
            s = bounded(s, 0.9)
        except ValueError:
            s = np.sin(s) * x
    return s


@program("try", args=lambda: (0.6, uniform(5)), refused="may")
def search_in_try(x, v):
    for k in range(3):
        try:
            for e in v[k:]:
                if e * x > 0.5:
                    break
                if e < -5.0:
                    return e
            else:
                continue
            x = bounded(x * e, 0.1)
        except ValueError:
            x = x * v[k]
    return x


@program("try", args=lambda: (uniform(5), 2))
def stores_until_an_index_fails(x, k):
    y = np.sin(x)
    try:
        y[k] = x[0] ** 2
        y[0] = x[k + 3]
    except IndexError:
        y[-1] = 3.0 * x[1]
    return np.sum(y * x)


@program("try", args=lambda: (uniform(3), uniform(2)))
def stores_of_what_is_there(x, y):
    x = x * 1.0
    try:
        x[0] = y[0]
        x[1] = 2 * y[1]
        x[2] = y[2]
    except IndexError:
        x = x * y[0]
    return np.sum(x**2)


@program("try", args=lambda: (uniform(4), 5))
def elements_of_an_array_or_a_number(x, n):
    y = x * 2.0
    if n > 3:
        y = 0.5
    try:
        small = y < 1.0
        y[small] = -(y[small] ** 2)
    except TypeError:
        y = y * x[0]
    return np.sum(y * x)


@program("try", args=lambda: (uniform(4), 2))
def elements_of_an_array_if_it_is_one(x, n):
    y = x * 2.0
    if n > 3:
        y = 0.5
    try:
        small = y < 1.0
        y[small] = -(y[small] ** 2)
    except TypeError:
        y = y * x[0]
    return np.sum(y * x)


class Scale:
    table = {"long": (2.0, 3.0)}

    def __init__(self, first, second):
        self.first, self.second = first, second

    @classmethod
    def named(cls, name):
        return cls(*cls.table[name])


def lengthened(x, which):
    return np.log(x) * Scale.named(which).first


@program("try", args=lambda: (uniform(3),))
def elements_of_a_number_by_an_object(x):
    y = np.sum(x * x)
    try:
        y[0] = lengthened(x[0], "long")
    except (AttributeError, TypeError):
        y = y * Scale.named("long").second
    return y


@program("try", args=lambda: (uniform(3), 2), second=False)
def elements_where_a_loop_may_end_with_a_number(x, n):
    y = x * 2.0
    for k in range(4):
        if k > n + 5:
            y = 0.5
            break
        y = np.sin(y) * x
    y = abs(y)
    try:
        small = y > 0.1
        y[small] = -y[small]
    except TypeError:
        y = -y
    return np.sum(y * x)


@program("try", args=lambda: (uniform(5),), refused="may")
def stores_seen_by_another_name(x):
    y = x * 2.0
    z = y[1:] if len(x) > 2 else y
    try:
        y[1] = 0.0
        t = 1 / (z[0] if z[0] != 0.0 else int(z[0]))
    except ZeroDivisionError:
        return x[0] * 2
    return t + x[1]
@program("try", args=lambda: (np.array([0.5, -0.3, 1.2, -0.8]), 0.7))
def roots_stored_where_they_exist(v, x):
    u = v * 1.0
    for k in range(4):
        try:
            u[k] = math.sqrt(u[k])
        except ValueError:
            u[k] = x * u[k]
    return np.sum(u * v)


@program("try", args=lambda: (np.array([0.5, -0.3, 1.2, -0.8]), 0.7))
def stores_up_to_the_one_that_fails(v, x):
    u = np.zeros(4)
    try:
        u[0] = x
        u[1] = math.log(v[1]) * u[0]
        u[2] = x * u[1]
    except ValueError:
        u[3] = x + u[0]
    return np.sum(u * v)


@program("try", args=lambda: (uniform(4), 0.7))
def view_overwritten_before_an_index_error(v, x):
    u = v.copy()
    w = u[1:]
    try:
        w *= x
        w[7] = 3.0
    except IndexError:
        w[0] += x
    return np.sum(u * v)


@program("try", args=lambda: (uniform(4), 0.7))
def past_the_end(v, x):
    u = v.copy()
    n = 0
    while n < 8:
        try:
            u[n] = x * u[n] + u[n - 1]
        except IndexError:
            break
        n += 1
    return np.sum(u * v) * n


@program("try", args=lambda: (uniform(4), 0.7))
def overwritten_then_returned_or_not(v, x):
    u = v.copy()
    try:
        u += x
        return math.log(u[0] - 10.0)
    except ValueError:
        pass
    return np.sum(u * v)


class Slots:
    def __init__(self, data):
        self.data = data

    def put(self, k, value):
        try:
            self.data[k] = value
        except IndexError:
            self.data[0] += value


@program("try", args=lambda: (uniform(4), 0.7))
def attribute_stored_into_or_not(v, x):
    slots = Slots(v.copy())
    slots.put(2, 3.0 * x)
    slots.put(9, 4.0 * x)
    return np.sum(slots.data * v)


@program("try", args=lambda: (uniform(3, 3), 0.7))
def solved_in_place_or_not(a, x):
    b = a.copy()
    try:
        b[0] = x
        b[1:] = np.linalg.solve(np.zeros((3, 3)), b)
    except np.linalg.LinAlgError:
        b[1] = b[0] * 2.0
    return np.sum(b * a)


@program("try", args=lambda: (uniform(4), 0.7))
def scattered_before_an_index_error(v, x):
    u = v.copy()
    try:
        np.add.at(u, [0, 0, 1], x)
        u[np.array([0, 9])] = x
    except IndexError:
        u[2] *= 3.0 * x
    return np.sum(u * v * v)


@program("try", args=lambda: (uniform(4), 0.7))
def loop_that_stops_half_way(v, x):
    u = v.copy()
    try:
        for k in range(7):
            u[k] = x * u[k]
    except IndexError:
        u[0] += x
    return np.sum(u * v)


class Weighted(Exception):
    def __init__(self, weight):
        super().__init__(weight)
        self.weight = weight


class Doubled(Weighted):
    pass


@program("exceptions with data, try", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), wrt=0)
def one_name_for_the_exceptions_of_several_handlers(x, n):
    s, last = x[1], None
    for k in range(n):
        try:
            if k == 0:
                raise Weighted(1.5)
            if k == 1:
                raise Doubled(2.5)
        except Doubled as error:
            last = error
        except Weighted as error:
            last = error
            continue
        s = s * last.weight
    return s + last.weight * x[0]


@program("exceptions with data, try", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), wrt=0)
def handlers_that_count_what_they_caught(x, n):
    s = x[1]
    for k in range(n):
        try:
            if s > 0.5:
                raise Weighted(2.0)
            s = s * 0.4
        except Weighted as error:
            s = s * 0.5 + len(error.args)
        except ValueError:
            return s
        except Exception as error:
            s = s + 7.0 * len(error.args)
    return s * x[0]


@program("exceptions with data, try", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), wrt=0)
def key_that_is_not_there_is_deleted(x, n):
    table, s = {"a": x[0]}, x[1]
    for _ in range(n):
        try:
            s = math.log(s + 1.0)
            del table["b"]
        except Exception:
            s = s * 3.0
    return s * table["a"]


class Named(ValueError):
    def __init__(self, *args, **named):
        texts_of(self, args, **named)


def texts_of(error, args, cause=None, **named):
    ValueError.__init__(error, " ".join(map(str, args)), *sorted(named))
    if cause is not None:
        error.__cause__ = cause


def texts(values, digits):
    for value in values:
        try:
            text = "%.*f" % (digits, float(value))
        except TypeError:
            raise ValueError("no number") from None
        yield text.rstrip("0")


def text_of(value, digits=6):
    return next(texts((value,), digits))


def made_for(cls, *args, **named):
    try:
        return cls(*args, **named)
    except TypeError:
        pass
    return ValueError(*args)


def one_of(named, **default):
    for name, value in default.items():
        if name in named:
            named = dict(named)
            value = named.pop(name, value)
        return value, named


def clipped(value, limit):
    near = min(limit, max(-limit, value))
    if near != value and limit > 0.0:
        text = " ".join([text_of(value), "beyond", text_of(limit)])
        raise Named(text, limit)
    return near


def parsed(parser, *args, **named):
    try:
        return parser(*args)
    except Exception as error:
        cls = type(error) if isinstance(error, ValueError) else Named
        cls, named = one_of(named, Error=cls)
        raise made_for(cls, **{**named, "cause": error})


def number_of(value, limit, options):
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float(value.strip(), **options)
    return clipped(number, float(limit)) if limit else number


def degrees(value, limit=0.0, **options):
    return parsed(number_of, value, limit, options, value=value)


@program("exceptions that nothing catches", args=lambda: (0.7,))
def text_of_an_active_value_is_only_raised(x):
    return clipped(x, 1.0) ** 2 + clipped(3.0 * x, 5.0)


@program("exceptions that nothing catches, try", args=lambda: (0.7,))
def parser_whose_handler_makes_another_exception(x):
    return degrees(x, 90.0) * degrees(48.8, 90.0) + degrees(x) ** 2


@program("exceptions that nothing catches, try", args=lambda: (0.7,))
def number_that_is_parsed_from_a_text(x):
    return degrees(x, 90.0) * degrees(" 1.5 ", 90.0)


@program("exceptions that nothing catches, try", args=lambda: (100.0,), raises=Named)
def text_of_an_active_value_that_is_raised(x):
    return clipped(x, 1.0) ** 2


@program("exceptions that nothing catches, try", args=lambda: (100.0,), raises=Named)
def exception_that_a_handler_makes(x):
    return degrees(x, 90.0) ** 2


@program("exceptions that nothing catches, try", args=lambda: (0.7,))
def text_that_is_computed_for_a_raise_that_is_caught(x):
    try:
        return clipped(x * 4.0, 1.0)
    except Named:
        return x * x


@program("exceptions that nothing catches, try", args=lambda: (0.7,), refused="may", second=False)
def value_computed_for_a_raise_is_read_by_its_handler(x):
    y = x
    try:
        if x > 0.0:
            y = x * x
            raise Named(text_of(y))
    except Named:
        y = y * 3.0
    return y


@program("exceptions that nothing catches, try", args=lambda: (0.7,), refused="may", second=False)
def list_grown_before_a_raise_that_is_caught(x):
    log = []
    for k in range(3):
        try:
            if k == 1:
                log.append(x * x)
                text = text_of(x * k)
                raise Named(text)
            log.append(x * k)
        except Named as error:
            log.append(x * len(error.args))
    return sum(v * (k + 1.0) for k, v in enumerate(log))


@program("exceptions that nothing catches, try", args=lambda: (0.7,), refused="may", second=False)
def value_computed_for_a_raise_is_carried_by_it(x):
    def half(v):
        if v > 0.5:
            kept = v * v
            raise OutOfRange(kept, 0.5)
        return v

    try:
        return half(x)
    except OutOfRange as error:
        return error.value * 3.0


@program("exceptions that nothing catches", args=lambda: (0.7,))
def one_of_two_ways_to_a_raise(x):
    if x > 2.0:
        if x > 3.0:
            text = text_of(x * x)
        else:
            text, _ = text_of(x), 1
        raise Named(text)
    return x * x


_level = 2.0


def level(given=None):
    global _level
    old = _level
    if given is not None:
        _level = given
    return old


def warned(x):
    if x > 10.0:
        print("too large", end=" ")
        raise Named(f"{x} is too large")
    return x * x


def warned_and_mended(x):
    try:
        return warned(x)
    except Named:
        return 2.0 * x


def halved(x, limit):
    if x > limit * level():
        raise Named("beyond", limit)
    return 0.5 * x


def noted(x, log):
    if x > 10.0:
        log.append(x * x)
        raise Named("beyond")
    return x * x


def noted_and_mended(x, log):
    try:
        return noted(x, log)
    except Named:
        return 2.0 * x


def stepped(x):
    total = 0.0
    for k in range(3):
        if x > 4.0 + k:
            print(k, end=" ")
            raise Named("step", k)
        total = total + x**k
    return total


def stepped_or_none(x):
    for k in range(3):
        if x > 4.0 + k:
            print(k, end=" ")
            raise Named("step", k)
        yield x**k


@program("calls in a try that only raise", args=lambda: (0.7,))
def call_that_prints_only_before_it_raises(x):
    try:
        y = warned(x)
    except Named:
        y = x
    return y * 3.0


@program("calls in a try that only raise", args=lambda: (12.0,))
def call_that_has_printed_and_raised(x):
    try:
        y = warned(x)
    except Named:
        y = x * x * x
    return y * 3.0


@program("calls in a try that only raise", args=lambda: (12.0,))
def raise_is_caught_below_the_try(x):
    try:
        y = warned_and_mended(x)
    except Named:
        y = x * x * x
    return y * y


@program("calls in a try that only raise", args=lambda: (0.7,))
def setting_that_is_read_by_a_function_that_may_set_it(x):
    try:
        y = halved(x, 3.0)
    except Named:
        y = x * x
    return y * x


@program("calls in a try that only raise", args=lambda: (8.0,))
def setting_that_is_read_on_the_way_to_a_raise(x):
    try:
        y = halved(x, 3.0)
    except Named:
        y = x * x
    return y * x


@program("calls in a try that only raise", args=lambda: (12.0,))
def call_that_notes_what_it_raises(x):
    log = [x]
    try:
        y = noted(x, log)
    except Named:
        y = x
    return y * sum(log)


@program("calls in a try that only raise", args=lambda: (12.0,))
def note_of_a_call_that_is_caught_below(x):
    log = [x]
    try:
        y = noted_and_mended(x, log) + float(len(log))
    except ValueError:
        y = x
    return y * sum(log)


@program("calls in a try that only raise", args=lambda: (12.0,))
def note_in_a_try_that_raises_again(x):
    log = [x]
    try:
        try:
            y = noted(x, log)
        except Named as error:
            log.append(x**3)
            raise ValueError("beyond") from error
    except ValueError:
        y = x * len(log)
    return y * sum(log)


@program("calls in a try that only raise", args=lambda: (0.7,))
def turns_of_a_call_that_may_raise(x):
    try:
        y = stepped(x)
    except Named as error:
        raise ValueError("a step") from error
    return y * x


@program("calls in a try that only raise", args=lambda: (9.0,), raises=ValueError)
def turn_of_a_call_that_raises(x):
    try:
        y = stepped(x)
    except Named as error:
        raise ValueError("a step") from error
    return y * x


@program("calls in a try that only raise", args=lambda: (0.7,), refused="may")
def generator_that_may_raise(x):
    try:
        y = sum(stepped_or_none(x))
    except Named as error:
        raise ValueError("a step") from error
    return y * x


@program("calls in a try that only raise", args=lambda: (0.7,))
def function_handed_to_what_catches(x):
    def kept(f, v):
        try:
            return f(v)
        except Named:
            return v

    try:
        y = kept(warned, 11.0 + x) + kept(lambda v: warned(v + 10.0), x)
    except ValueError:
        y = x**4
    return y * x
