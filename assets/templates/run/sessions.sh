# session USER sets the credentials of a user for the next requests. It opens the session of the user, unless the
# session is open already: all tests share it.
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

# apart gives a test its own sessions. It closes all open sessions, and run closes the sessions of the test
# afterwards.
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
