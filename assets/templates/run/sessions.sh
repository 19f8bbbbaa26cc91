# session USER opens the session of a user, which all tests share, and sets the credentials of its
# requests.
session() {
	if ! [ -f "$answer/session_$1" ]; then
		opening=$answer/opening
		: >"$opening"
		"open_$1"
		mv "$opening" "$answer/session_$1"
	fi
	. "$answer/session_$1"
}

# keep NAME VALUE stores a value in the session that is being opened.
keep() {
	[ -n "$2" ] || exit 1
	printf "%s='%s'\n" "$1" "$(printf '%s' "$2" | sed "s/'/'\\\\''/g")" >>"$opening"
}

# apart gives a test its own sessions: none is open before it, and run closes them after it.
apart() {
	rm -f "$answer"/session_*
	: >"$answer/apart"
}

# made USER ends the test unless a user was created or exists already.
made() {
	case $status in
	2?? | 409) : >"$answer/made_$1" ;;
	4??) [ -f "$answer/made_$1" ] || fail "the user is not made: got $status with body $(excerpt)" ;;
	*) fail "the user is not made: got $status with body $(excerpt)" ;;
	esac
}
