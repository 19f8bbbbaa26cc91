

NOTHING = object()  # the value of a member that an object does not have


def values_at(reply, pointer):
    """The values at a JSON pointer. The token * means all items of an array, or all members of an object."""
    try:
        value = decoded(reply.answer.content.decode("utf-8", "replace"))
    except ValueError:
        return [NOTHING]
    return values_in(value, pointer)


def values_in(value, pointer):
    found = [value]
    tokens = pointer.split("/")[1:]
    for i, token in enumerate(tokens):
        found = [inner for value in found for inner in step_into(value, token, i == len(tokens) - 1)]
    return found


def step_into(value, token, last):
    name = token.replace("~1", "/").replace("~0", "~")
    if token == "*":
        return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if isinstance(value, dict) and name in value:
        return [value[name]]
    if isinstance(value, list) and name.isdigit() and int(name) < len(value):
        return [value[int(name)]]
    return [NOTHING] if last else []


def type_of(value):
    if isinstance(value, Decimal):
        return "integer" if value == value.to_integral_value() else "number"
    return {type(None): "null", bool: "boolean", str: "string", list: "array"}.get(type(value), "object")


def each(pointer, holds):
    return lambda reply: all(v is NOTHING or holds(v) for v in values_at(reply, pointer))


# An expectation describes an assertion on an answer, and checks it.
def typed(pointer, *types):
    return f"type {' or '.join(types)} at {pointer!r}", each(
        pointer, lambda v: type_of(v) in types or "number" in types and type_of(v) == "integer"
    )


def given(pointer):
    def holds(reply):
        found = values_at(reply, pointer)
        return not any(v is NOTHING for v in found) and (bool(found) or "*" in pointer)

    return f"a value at {pointer!r}", holds


def absent(pointer):
    return f"nothing at {pointer!r}", each(pointer, lambda v: False)


def among(pointer, *values):
    return f"one of {', '.join(values)} at {pointer!r}", each(pointer, lambda v: any(same(v, decoded(w)) for w in values))


def matching(pointer, pattern):
    return f"a match for {pattern} at {pointer!r}", each(pointer, lambda v: not isinstance(v, str) or re.search(pattern, v))


def headed(name, pattern):
    return f"the header {name} to match {pattern}", lambda reply: re.search(pattern, reply.answer.headers.get(name, ""))


def without(pattern):
    return f"no match for {pattern}", lambda reply: not re.search(pattern, reply.answer.text)


def unchanged(pointer, before):
    def holds(reply):
        found = values_at(reply, pointer)
        return len(found) == 1 and found[0] is not NOTHING and same(found[0], before.value)

    return f"{before.json()} at {pointer!r} as before", holds


def texts(found):
    return {Value(v).text() for v in found if v is not NOTHING}


def listed(pointer, before):
    return f"{before.json()} at {pointer!r}", lambda reply: before.text() in texts(values_at(reply, pointer))


def texts_in(listing, pointer):
    """The values in the items of a list, as texts, at the place that follows the token * of a JSON pointer."""
    return texts(values_in(listing.value, "/*" + pointer.partition("/*")[2]))


def covering(pointer, before):
    return f"all values of the earlier list at {pointer!r}", lambda reply: texts_in(before, pointer) <= texts(values_at(reply, pointer))


def disjoint(pointer, before):
    return f"no values of the earlier list at {pointer!r}", lambda reply: texts_in(before, pointer).isdisjoint(texts(values_at(reply, pointer)))


def sleep(seconds):
    """Waits before lists are read, which may show only after a moment what was written."""
    import time

    time.sleep(seconds)
