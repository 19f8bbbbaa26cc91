
    // Expectation is an assertion on an answer.
    static class Expectation {
        final String what;
        final Predicate<Reply> holds;

        Expectation(String what, Predicate<Reply> holds) {
            this.what = what;
            this.holds = holds;
        }
    }

    // valuesAt returns the values at a JSON pointer. The token * means all items of an array, or all members of an
    // object. The value of a member that an object does not have is a missing node.
    static List<JsonNode> valuesAt(Reply reply, String pointer) {
        return valuesIn(decoded(reply.text), pointer);
    }

    static List<JsonNode> valuesIn(JsonNode whole, String pointer) {
        List<JsonNode> all = List.of(whole);
        String[] tokens = pointer.isEmpty() ? new String[0] : pointer.substring(1).split("/", -1);
        for (int i = 0; i < tokens.length; i++) {
            List<JsonNode> next = new ArrayList<>();
            for (JsonNode value : all) {
                String name = tokens[i].replace("~1", "/").replace("~0", "~");
                JsonNode member = value.isArray() && name.matches("[0-9]{1,9}") ? value.path(Integer.parseInt(name)) : value.path(name);
                if (name.equals("*")) {
                    value.forEach(next::add);
                } else if (!member.isMissingNode() || i == tokens.length - 1) {
                    next.add(member);
                }
            }
            all = next;
        }
        return all;
    }

    static Predicate<Reply> each(String pointer, Predicate<JsonNode> holds) {
        return reply -> valuesAt(reply, pointer).stream().allMatch(v -> v.isMissingNode() || holds.test(v));
    }

    static String typeOf(JsonNode v) {
        if (v.isNumber()) {
            return v.decimalValue().stripTrailingZeros().scale() <= 0 ? "integer" : "number";
        }
        return v.getNodeType().name().toLowerCase(java.util.Locale.ROOT);
    }

    static Expectation typed(String pointer, String... types) {
        List<String> all = List.of(types);
        return new Expectation("type " + String.join(" or ", types) + " at \"" + pointer + "\"",
                each(pointer, v -> all.contains(typeOf(v)) || all.contains("number") && v.isNumber()));
    }

    static Expectation given(String pointer) {
        return new Expectation("a value at \"" + pointer + "\"", reply -> {
            List<JsonNode> all = valuesAt(reply, pointer);
            return all.stream().noneMatch(JsonNode::isMissingNode) && (!all.isEmpty() || pointer.contains("*"));
        });
    }

    static Expectation absent(String pointer) {
        return new Expectation("nothing at \"" + pointer + "\"", each(pointer, v -> false));
    }

    static Expectation among(String pointer, String... values) {
        return new Expectation("one of " + String.join(", ", values) + " at \"" + pointer + "\"",
                each(pointer, v -> List.of(values).stream().anyMatch(w -> decoded(w).equals(SAME, v))));
    }

    static Expectation matching(String pointer, String pattern) {
        return new Expectation("a match for " + pattern + " at \"" + pointer + "\"",
                each(pointer, v -> !v.isTextual() || Pattern.compile(pattern).matcher(v.textValue()).find()));
    }

    static Expectation headed(String name, String pattern) {
        return new Expectation("the header " + name + " to match " + pattern,
                reply -> Pattern.compile(pattern).matcher(reply.answer.header(name) == null ? "" : reply.answer.header(name)).find());
    }

    static Expectation without(String pattern) {
        return new Expectation("no match for " + pattern, reply -> !Pattern.compile(pattern).matcher(reply.text).find());
    }

    static Expectation unchanged(String pointer, Value before) {
        return new Expectation(before.json() + " at \"" + pointer + "\" as before", reply -> before.value.equals(SAME, decoded(reply.text).at(pointer)));
    }

    static List<String> texts(List<JsonNode> values) {
        return values.stream().filter(v -> !v.isMissingNode()).map(v -> new Value(v).text()).toList();
    }

    static Expectation listed(String pointer, Value before) {
        return new Expectation(before.json() + " at \"" + pointer + "\"", reply -> texts(valuesAt(reply, pointer)).contains(before.text()));
    }

    // textsIn returns the values in the items of a list, as texts, at the place that follows the token * of a JSON pointer.
    static List<String> textsIn(Value list, String pointer) {
        return texts(valuesIn(list.value, "/*" + pointer.substring(pointer.indexOf("/*") + 2)));
    }

    static Expectation covering(String pointer, Value before) {
        return new Expectation("all values of the earlier list at \"" + pointer + "\"",
                reply -> texts(valuesAt(reply, pointer)).containsAll(textsIn(before, pointer)));
    }

    static Expectation disjoint(String pointer, Value before) {
        return new Expectation("no values of the earlier list at \"" + pointer + "\"",
                reply -> java.util.Collections.disjoint(texts(valuesAt(reply, pointer)), textsIn(before, pointer)));
    }

    // sleep waits before lists are read, which may show only after a moment what was written.
    static void sleep(double seconds) {
        try {
            Thread.sleep((long) (seconds * 1000));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
