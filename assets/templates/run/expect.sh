
# expect WHAT... ends the test unless an expectation holds of the answer.
expect() { "$@" || fail "want $(printf '%.300s' "$*"), but the body is $(excerpt)"; }

# broken WHAT... ends the test if an expectation holds. It did not hold when the test was written, because of a fault
# of the service.
broken() { ! "$@" || fail "$(printf '%.300s' "$*") holds now, the fault is mended: write expect instead of broken"; }

# judge POINTER FILTER [JQ OPTION...] reports whether a filter holds of the values at a JSON pointer. The token * in
# the pointer means all items of an array, or all members of an object. The filter gets the values as .found; .missing
# is true if the last member is missing somewhere.
judge() {
	pointer=$1 filter=$2
	shift 2
	jq -e --arg p "$pointer" "$@" '
		def place($t): ($t | gsub("~1"; "/") | gsub("~0"; "~")) as $n |
			if type == "object" and has($n) then [.[$n]]
			elif type == "array" and ($n | test("^[0-9]+$")) and ($n | tonumber) < length then [.[$n | tonumber]] else [] end;
		($p | if startswith("\"") then fromjson else . end | split("/")[1:]) as $tokens
		| reduce range($tokens | length) as $i ({found: [.], missing: false};
			$tokens[$i] as $t
			| if $t == "*" then .found |= [.[] | if type == "object" or type == "array" then .[] else empty end]
			  else .found as $all | .found = [$all[] | place($t)[]]
			  | .missing = ($i == ($tokens | length) - 1 and ([$all[] | select(place($t) == [])] | length) > 0) end)
		| '"$filter" "$answer/body" >/dev/null 2>&1
}

# The expectations.
typed() {
	pointer=$1
	shift
	judge "$pointer" '.found | all(.[]; (if type == "number" and floor == . then "integer" else type end) as $t
		| $types | split(" ") | index($t) != null or ($t == "integer" and index("number") != null))' --arg types "$*"
}
given() { judge "$1" '.missing == false and (.found != [] or ($p | contains("*")))'; }
absent() { judge "$1" '.found == []'; }
among() {
	pointer=$1
	shift
	judge "$pointer" '.found | all(.[]; . as $v | $values | index([$v]) != null)' --argjson values "[$(printf '%s,' "$@" | sed 's/,$//')]"
}
matching() { judge "$1" '.found | all(.[]; type != "string" or test($pattern))' --arg pattern "$2"; }
headed() {
	tr -d '\r' <"$answer/head" | jq -e -R -s --arg name "$1" --arg pattern "$2" '[split("\n")[] | capture("^(?<n>[^:]*): *(?<v>.*)$") | select((.n | ascii_downcase) == ($name | ascii_downcase)) | .v][0] // "" | test($pattern)' >/dev/null
}
without() { jq -e -R -s --arg pattern "$1" 'test($pattern) | not' "$answer/body" >/dev/null; }

# compare POINTER FILTER JSON is judge with a filter that has the JSON as $before[0]. A file passes it on, because the
# arguments of a program are limited to 128 KiB on Linux.
compare() {
	printf '%s' "$3" >"$answer/before"
	judge "$1" "$2" --slurpfile before "$answer/before"
}
unchanged() { compare "$1" '.found == $before' "$2"; }

# texts defines the filter text, which returns a value as a text, and items, which returns the values in the items of the
# list $before[0] at the place that follows the token * of the pointer.
texts='def text: if type == "string" then . else tojson end;
	def items: ($p | if startswith("\"") then fromjson else . end | .[index("/*") + 2:] | split("/")[1:]
		| map(gsub("~1"; "/") | gsub("~0"; "~"))) as $place | [$before[0][] | getpath($place) | text];'
listed() { compare "$1" "$texts"' .found | any(.[]; text == ($before[0] | text))' "$2"; }
covering() { compare "$1" "$texts"' [.found[] | text] as $here | items | all(.[]; . as $v | $here | index([$v]) != null)' "$2"; }
disjoint() { compare "$1" "$texts"' [.found[] | text] as $here | items | all(.[]; . as $v | $here | index([$v]) == null)' "$2"; }
