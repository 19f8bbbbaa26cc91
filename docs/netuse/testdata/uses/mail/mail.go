package mail

import (
	"database/sql"
	"net/rpc"
	"net/smtp"
)

func Send(db *sql.DB) error {
	if _, err := rpc.Dial("tcp", "queue.example:1"); err != nil {
		return err
	}
	if _, err := sql.Open("mysql", ""); err != nil {
		return err
	}
	return smtp.SendMail("mail.example:25", nil, "a@b.example", nil, nil)
}
