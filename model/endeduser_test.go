package model_test

import (
	"testing"

	"sonde/model"
)

func TestEndedUserString(t *testing.T) {
	tests := []struct {
		name  string
		ended model.EndedUser
		want  string
	}{
		{
			"no known cause",
			model.EndedUser{User: "ann"},
			`the service accepted the user "ann" and now answers 401 to it: has the credential expired?`,
		},
		{
			"accepted again after a reset",
			model.EndedUser{User: "ann", Back: true},
			`the service refused the user "ann" by 401 and accepts it again after a reset`,
		},
		{
			"ended by a call",
			model.EndedUser{User: "ann", EndedBy: "DELETE /users/{id}", Request: "DELETE /users/1"},
			`DELETE /users/{id} (sent as DELETE /users/1) ended the user "ann": ` +
				`every later call of it is answered 401; exclude it in sonde.yaml, or configure a reset`,
		},
		{
			"most likely ended by a call without parameters",
			model.EndedUser{User: "ann", EndedBy: "POST /logout", Request: "POST /logout", Likely: true},
			`POST /logout most likely ended the user "ann": ` +
				`every later call of it is answered 401; exclude it in sonde.yaml, or configure a reset`,
		},
		{
			"restored",
			model.EndedUser{User: "ann", EndedBy: "POST /logout", Request: "POST /logout", Back: true},
			`POST /logout ended the user "ann", which was restored; this request is not sent again: exclude it in sonde.yaml`,
		},
		{
			"locked out",
			model.EndedUser{User: "ann", EndedBy: "POST /lock", Request: "POST /lock", LockedOut: true, Back: true},
			`POST /lock ended the log-in of the user "ann", which continues with an earlier one; ` +
				`this request is not sent again, and tests with it are not exported: exclude it in sonde.yaml`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.ended.String(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAccessDenied(t *testing.T) {
	ended := model.EndedUser{User: "ann"}
	tests := []struct {
		name         string
		denied       model.AccessDenied
		text, reason string
	}{
		{
			"no users",
			model.AccessDenied{Refused: 19, Calls: 20},
			"19 of the first 20 calls were answered 401 or 403",
			"no user is configured",
		},
		{
			"users",
			model.AccessDenied{Refused: 20, Calls: 20, Users: []string{"ann", "bob"}},
			"20 of the first 20 calls were answered 401 or 403",
			"are the credentials of ann, bob right?",
		},
		{
			"a user was ended",
			model.AccessDenied{Users: []string{"ann"}, Ended: &ended},
			ended.String(),
			"are the credentials of ann right?",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.denied.String(); got != tt.text {
				t.Errorf("got %q, want %q", got, tt.text)
			}
			if got := tt.denied.LikelyCause(); got != tt.reason {
				t.Errorf("got the cause %q, want %q", got, tt.reason)
			}
		})
	}
}
