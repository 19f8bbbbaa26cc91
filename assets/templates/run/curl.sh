# answer is the folder of the last answer.
answer=$(mktemp -d) || exit 1
trap 'rm -rf "$answer"' EXIT

# send METHOD PATH [OPTION...] sends a request. The options of the body come last.
send() {
	call="$1 $2"
	method=$1 url=$base$2
	case $2 in /*) ;; *) url=$2 ;; esac
	shift 2
	case $method in
	HEAD) set -- --head "$@" ;;
	*) set -- -X "$method" "$@" ;;
	esac
	[ -z "$key" ] || set -- --key "$key" "$@"
	[ -z "$cert" ] || set -- --cert "$cert" "$@"
	[ -z "$cacert" ] || set -- --cacert "$cacert" "$@"
	: >"$answer/head"
	: >"$answer/body"
	status=$(curl -q -sS --globoff --path-as-is --max-time 30 $trust -D "$answer/head" -o "$answer/body" -w '%{http_code}' "$@" --url "$url") ||
		fail "got no answer: is the service there? SONDE_BASE_URL says where"
}

# fail ends the test.
fail() {
	printf '# %s\n' "$(printf '%s: %s' "$call" "$1" | LC_ALL=C tr -c ' -~' '?')" >&2
	exit 1
}

# excerpt prints the start of the answer.
excerpt() { head -c 300 "$answer/body"; }

# want STATUS ends the test unless the answer has this status.
want() { [ "$status" = "$1" ] || fail "want status $1, got $status with body $(excerpt)"; }

# succeeds ends the test unless the status is 2xx.
succeeds() { case $status in 2??) ;; *) fail "want a status of success, got $status with body $(excerpt)" ;; esac; }

# statusIn STATUS... ends the test unless one of the arguments fits the status. Each is a number, or a range such as
# 100-499.
statusIn() {
	for range in "$@"; do
		[ "$status" -ge "${range%-*}" ] && [ "$status" -le "${range#*-}" ] && return 0
	done
	fail "want one of the statuses $*, got $status with body $(excerpt)"
}

# at defines a function of jq: at($p) is the value at the JSON pointer $p. A pointer in quotes is a JSON string.
at='def at($p): reduce ($p | if startswith("\"") then fromjson else . end | split("/")[1:][] | gsub("~1"; "/") | gsub("~0"; "~")) as $t (.;
	if type == "array" and ($t | test("^[0-9]+$")) and ($t | tonumber) < length then .[$t | tonumber]
	elif type == "object" and has($t) then .[$t] else error("nothing there") end);'

# present POINTER ends the test unless the body has a value at a JSON pointer.
present() {
	jq -c --arg p "$1" "$at at(\$p) | tojson" "$answer/body" >/dev/null 2>&1 || fail "want a value at \"$1\", but the body is $(excerpt)"
}

# equals POINTER JSON ends the test unless the body has this value at the JSON pointer.
equals() {
	jq -e --arg p "$1" --argjson want "$2" "$at at(\$p) == \$want" "$answer/body" >/dev/null 2>&1 || fail "want $2 at \"$1\", but the body is $(excerpt)"
}

# field POINTER prints the value at a JSON pointer, as JSON.
field() { jq -c --arg p "$1" "$at at(\$p)" "$answer/body" 2>/dev/null || fail "the next calls need the value at \"$1\", but the body is $(excerpt)"; }

# part PATTERN prints the text that the group of a pattern matches in the body, as JSON.
part() {
	jq -Rsce --arg p "$1" 'match($p).captures[0].string' "$answer/body" || fail "want a part that matches $1, but the body is $(excerpt)"
}

# partOf PLACE PATTERN prints the text that the group of a pattern matches in a URL, as JSON. The URL is in the header
# PLACE or, if PLACE begins with a slash, at this JSON pointer.
partOf() {
	case $1 in
	/* | '"/'*) url=$(field "$1" | jq -j .) ;;
	*) url=$(values "$1") ;;
	esac
	id=$(printf '%s' "$url" | jq -Rsr --arg p "$2" 'match($p).captures[0].string' | unescaped | jq -Rsc .)
	[ "$id" != '""' ] || fail "want a part of $1 that matches $2, but it is $url"
	printf '%s' "$id"
}

# values HEADER prints all values of a header.
values() {
	name=$1 LC_ALL=C awk '
		BEGIN { name = tolower(ENVIRON["name"]) ":" }
		tolower(substr($0, 1, length(name))) == name {
			value = substr($0, length(name) + 1); gsub(/^[ \t]+|[ \t\r]+$/, "", value); printf "%s%s", between, value; between = ", "
		}' "$answer/head"
}

# unescaped decodes the percent escapes of a line.
unescaped() {
	LC_ALL=C awk '
		function hex(digit) { return index("0123456789abcdef", tolower(digit)) - 1 }
		{
			while (match($0, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
				printf "%s%c", substr($0, 1, RSTART - 1), 16 * hex(substr($0, RSTART + 1, 1)) + hex(substr($0, RSTART + 2, 1))
				$0 = substr($0, RSTART + 3)
			}
			printf "%s", $0
		}'
}

# ending HEADER prints the last path segment of the URL in a header, as JSON.
ending() {
	id=$(name=$1 LC_ALL=C awk '
		BEGIN { name = tolower(ENVIRON["name"]) ":" }
		url == "" && tolower(substr($0, 1, length(name))) == name { url = substr($0, length(name) + 1) }
		END {
			gsub(/^[ \t]+|[ \t\r]+$/, "", url); sub(/[?#].*/, "", url); sub(/\/+$/, "", url); sub(/.*\//, "", url)
			print url
		}' "$answer/head" | unescaped | jq -Rsc .)
	[ "$id" != '""' ] || fail "want an id at the end of the header $1"
	printf '%s' "$id"
}

# headed HEADER prints the value of a header, as JSON.
headed() {
	value=$(name=$1 LC_ALL=C awk '
		BEGIN { name = tolower(ENVIRON["name"]) ":" }
		value == "" && tolower(substr($0, 1, length(name))) == name {
			value = substr($0, length(name) + 1); gsub(/^[ \t]+|[ \t\r]+$/, "", value)
		}
		END { printf "%s", value }' "$answer/head" | jq -Rsc .)
	[ "$value" != '""' ] || fail "want the header $1"
	printf '%s' "$value"
}

# whole prints the whole body as JSON: a JSON value, such as a string, or else a text.
whole() { jq -Rsc 'sub("^\\s+"; "") | sub("\\s+$"; "") | . as $text | try fromjson catch $text' "$answer/body"; }

# cookies prints the cookies that the answer sets, in the form of the header Cookie, as JSON. It leaves out a cookie that
# the answer deletes: by Max-Age, or else by Expires with a year before this one.
cookies() {
	value=$(LC_ALL=C awk -v now="$(date +%Y)" '
		function deleted(line) {
			if (line ~ /; *max-age=-?[0-9]/) return line ~ /; *max-age=(0|-)/
			if (!match(line, /; *expires=[^;]*[0-9][0-9][0-9][0-9] /)) return 0
			return substr(line, RSTART + RLENGTH - 5, 4) + 0 < now + 0
		}
		tolower(substr($0, 1, 11)) == "set-cookie:" && !deleted(tolower($0)) {
			value = substr($0, 12); sub(/;.*/, "", value); gsub(/^[ \t]+|[ \t\r]+$/, "", value)
			if (value !~ /^[^=]*=$/) { printf "%s%s", between, value; between = "; " }
		}' "$answer/head" | jq -Rsc .)
	[ "$value" != '""' ] || fail "want cookies, but the answer sets none"
	printf '%s' "$value"
}

# text, json, number, path, query and form print a value in the form that a place in a request needs. The argument is
# the value as JSON.
text() { printf '%s' "$1" | jq -j 'if type == "string" then . else tojson end'; }
json() { printf '%s' "$1"; }
number() {
	case $(text "$1") in
	*[!0-9.eE+-]* | '') json "$1" ;;
	*) text "$1" | jq -ce 'numbers' >/dev/null 2>&1 && text "$1" || json "$1" ;;
	esac
}
query() { printf '%s' "$1" | jq -j 'if type == "string" then . else tojson end | @uri'; }
form() { query "$1"; }
path() {
	case $(text "$1") in
	. | ..) text "$1" | sed 's/\./%2E/g' ;;
	*) query "$1" ;;
	esac
}

# skip REASON ends the test, and marks it as skipped.
skip() {
	printf '%s' "$1" >"$answer/skipped"
	exit 77
}

# run TEST... runs tests, and prints the results in the format TAP.
run() {
	[ $# -gt 0 ] || return 0
	failed=0 n=0
	printf '1..%d\n' $#
	for test in "$@"; do
		n=$((n + 1))
		("$test")
		case $? in
		0) printf 'ok %d - %s\n' "$n" "$test" ;;
		77) printf 'ok %d - %s # SKIP %s\n' "$n" "$test" "$(cat "$answer/skipped")" ;;
		*) printf 'not ok %d - %s\n' "$n" "$test" && failed=1 ;;
		esac
		! [ -f "$answer/apart" ] || rm -f "$answer/apart" "$answer"/session_*
	done
	exit $failed
}
