    // send sends a request, whose path must be escaped. Redirects are not followed.
    @SafeVarargs
    static Reply send(String method, String path, Consumer<Request>... options) {
        String base = System.getenv().getOrDefault("SONDE_BASE_URL", "");
        base = (base.isEmpty() ? BASE_URL : base).replaceAll("/+$", "");
        assertTrue(!base.isEmpty(), "no service to call: set SONDE_BASE_URL to where it is, such as http://127.0.0.1:8080");
        Request request = new Request();
        for (Consumer<Request> option : options) {
            option.accept(request);
        }
        String target = path + (request.query.isEmpty() ? "" : (path.contains("?") ? "&" : "?") + request.query);
        Reply reply = new Reply(method + " " + path, request.assured().request(method, URI.create(path.startsWith("/") ? base + target : target)));
        return request.refused.test(reply) ? send(method, path, options) : reply;
    }

    // Request is a request before it is sent. Options change it.
    static class Request {
        final Map<String, String> headers = new LinkedHashMap<>();
        String media = "";
        String query = "";
        byte[] body;
        Predicate<Reply> refused = reply -> false;

        RequestSpecification assured() {
            EncoderConfig asItIs = EncoderConfig.encoderConfig().appendDefaultContentCharsetToContentTypeIfUndefined(false);
            if (!media.isEmpty()) {
                asItIs = asItIs.encodeContentTypeAs(media, ContentType.BINARY);
            }
            RequestSpecification r = RestAssured.given().urlEncodingEnabled(false).header("Connection", "close").headers(headers).config(RestAssuredConfig.config()
                    .encoderConfig(asItIs).redirect(RedirectConfig.redirectConfig().followRedirects(false)));
            trust(r);
            if (!media.isEmpty()) {
                r.contentType(media);
            }
            return body == null ? r : r.body(body);
        }
    }

    static Consumer<Request> header(String name, String value) {
        return name.equals("Content-Type") ? r -> r.media = value : r -> r.headers.put(name, value);
    }

    static Consumer<Request> basic(String userAndPassword) {
        return header("Authorization", "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8)));
    }

    static Consumer<Request> body(String text) {
        return r -> r.body = text.getBytes(StandardCharsets.UTF_8);
    }

    // data is a body in base64, for bytes that are not UTF-8.
    static Consumer<Request> data(String base64) {
        return r -> r.body = Base64.getDecoder().decode(base64);
    }

    // secret is an environment variable.
    static Value secret(String name) {
        return secret(name, "");
    }

    static Value secret(String name, String otherwise) {
        String text = System.getenv().getOrDefault(name, "").strip();
        text = text.isEmpty() ? otherwise : text;
        assertTrue(!text.isEmpty(), "no secret to send: set " + name + " in the environment, as the top of this file says");
        return new Value(TextNode.valueOf(text));
    }

    static final JsonMapper JSON = JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    static JsonNode decoded(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    // SAME compares numbers by their value.
    static final Comparator<JsonNode> SAME = (a, b) ->
            a.isNumber() && b.isNumber() ? a.decimalValue().compareTo(b.decimalValue()) : a.equals(b) ? 0 : 1;

    // Reply is an answer of the service.
    static class Reply {
        final String call;
        final Response answer;
        final String text;

        Reply(String call, Response answer) {
            this.call = call;
            this.answer = answer;
            this.text = new String(answer.asByteArray(), StandardCharsets.UTF_8);
        }

        String excerpt() {
            return JSON.getNodeFactory().textNode(text.substring(0, Math.min(300, text.length()))).toString();
        }

        void want(int status) {
            assertEquals(status, answer.statusCode(), call + ": the status, with body " + excerpt());
        }

        void succeeds() {
            assertTrue(answer.statusCode() / 100 == 2, call + ": want a status of success, got " + answer.statusCode() + " with body " + excerpt());
        }

        // statusIn fails unless one of wanted fits the status. Each is a number, or a range such as "100-499".
        void statusIn(String... wanted) {
            for (String one : wanted) {
                String[] range = one.split("-");
                int to = Integer.parseInt(range[range.length - 1]);
                if (Integer.parseInt(range[0]) <= answer.statusCode() && answer.statusCode() <= to) {
                    return;
                }
            }
            fail(call + ": want status " + String.join(" or ", wanted) + ", got " + answer.statusCode() + " with body " + excerpt());
        }

        void expect(Expectation e) {
            assertTrue(e.holds.test(this), call + ": want " + e.what + ", but the body is " + excerpt());
        }

        // broken fails if an expectation holds. It did not hold when the test was written, because of a fault of the
        // service.
        void broken(Expectation e) {
            assertTrue(!e.holds.test(this), call + ": " + e.what + " holds now, the fault is mended: write expect instead of broken");
        }

        JsonNode at(String pointer) {
            JsonNode value = decoded(text).at(pointer);
            assertTrue(!value.isMissingNode(), call + ": want a value at \"" + pointer + "\", but the body is " + excerpt());
            return value;
        }

        void present(String pointer) {
            at(pointer);
        }

        // holds fails unless the body has this JSON value at a JSON pointer.
        void holds(String pointer, String want) {
            JsonNode got = at(pointer);
            assertTrue(decoded(want).equals(SAME, got), call + ": want " + want + " at \"" + pointer + "\", got " + got);
        }

        Value field(String pointer) {
            return new Value(at(pointer));
        }

        // ending returns the last path segment of the URL in a header.
        Value ending(String header) {
            String url = answer.header(header) == null ? "" : answer.header(header).strip();
            String path = url.replaceAll("[?#].*$", "").replaceAll("^[A-Za-z][A-Za-z0-9+.-]*://[^/]*", "").replaceAll("/+$", "");
            String id = URLDecoder.decode(path.substring(path.lastIndexOf('/') + 1).replace("+", "%2B"), StandardCharsets.UTF_8);
            assertTrue(!id.isEmpty(), call + ": want an id at the end of the header " + header);
            return new Value(TextNode.valueOf(id));
        }

        // part returns the text that the group of a pattern matches in the body.
        Value part(String pattern) {
            return new Value(TextNode.valueOf(matched(text, pattern)));
        }

        // partOf returns the text that the group of a pattern matches in a URL. The URL is in the header place or, if
        // place begins with a slash, at this JSON pointer.
        Value partOf(String place, String pattern) {
            String url = place.startsWith("/") ? at(place).asText() : String.join(", ", answer.headers().getValues(place));
            String id = matched(url, pattern).replace("+", "%2B");
            return new Value(TextNode.valueOf(URLDecoder.decode(id, StandardCharsets.UTF_8)));
        }

        String matched(String in, String pattern) {
            Matcher found = Pattern.compile(pattern).matcher(in);
            assertTrue(found.find(), call + ": want a part that matches " + pattern + ", but the text is " + in);
            return found.group(1);
        }

        // headed returns the value of a header.
        Value headed(String header) {
            String value = answer.header(header) == null ? "" : answer.header(header).strip();
            assertTrue(!value.isEmpty(), call + ": want the header " + header + ", but there is none");
            return new Value(TextNode.valueOf(value));
        }

        // whole returns the whole body: a JSON value, such as a string, or else a text.
        Value whole() {
            JsonNode value = decoded(text);
            return new Value(value.isMissingNode() ? TextNode.valueOf(text.strip()) : value);
        }

        // cookies returns the cookies that the answer sets, in the form of the header Cookie.
        Value cookies() {
            List<String> all = new ArrayList<>();
            for (String set : answer.headers().getValues("Set-Cookie")) {
                String pair = set.split(";")[0].strip();
                if (!isDeleted(set) && pair.indexOf('=') < pair.length() - 1) {
                    all.add(pair);
                }
            }
            assertTrue(!all.isEmpty(), call + ": want cookies, but the answer sets none");
            return new Value(TextNode.valueOf(String.join("; ", all)));
        }

        // isDeleted reports whether a header Set-Cookie deletes its cookie: by Max-Age, or else by Expires.
        static boolean isDeleted(String cookie) {
            Matcher age = Pattern.compile(";\\s*max-age=(-?)(\\d+)", Pattern.CASE_INSENSITIVE).matcher(cookie);
            if (age.find()) {
                return age.group(1).equals("-") || age.group(2).matches("0+");
            }
            Matcher date = Pattern.compile(";\\s*expires=(?:[a-z]+, *)?([^;]*)", Pattern.CASE_INSENSITIVE).matcher(cookie);
            if (!date.find()) {
                return false;
            }
            try {
                String text = date.group(1).strip().replace('-', ' ');
                return !ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).isAfter(ZonedDateTime.now());
            } catch (DateTimeParseException invalid) {
                return false;
            }
        }
    }

    // Value is a part of an answer, or an environment variable, for a later call.
    static class Value {
        final JsonNode value;

        Value(JsonNode value) {
            this.value = value;
        }

        String text() {
            return value.isTextual() ? value.textValue() : value.toString();
        }

        String json() {
            return value.toString();
        }

        // number returns the value as JSON. If the text of the value is a number, the JSON is a number.
        String number() {
            return decoded(text()).isNumber() ? text() : json();
        }

        String query() {
            return URLEncoder.encode(text(), StandardCharsets.UTF_8).replace("+", "%20");
        }

        String form() {
            return query();
        }

        String path() {
            return text().replace(".", "").isEmpty() ? text().replace(".", "%2E") : query();
        }
    }
