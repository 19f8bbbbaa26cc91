package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/mail"
	"net/smtp"
	"time"
)

// sender is the address from which the service sends mail. A recorder masks it, although no request has it.
const sender = "shop@shop.example"

func serveMailing(mux *http.ServeMux, hosts []string) error {
	mux.HandleFunc("POST /invitations", func(w http.ResponseWriter, r *http.Request) {
		var guest struct{ Email, Name string }
		if err := json.NewDecoder(r.Body).Decode(&guest); err != nil {
			reply(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
			return
		}
		to, err := mail.ParseAddress(guest.Email)
		if err != nil {
			reply(w, http.StatusBadRequest, map[string]string{"error": "no address"})
			return
		}
		text := fmt.Sprintf(
			"From: %s\r\nTo: %s\r\nDate: %s\r\nSubject: Welcome, %s\r\n\r\nHello %[4]s,\r\nyou are invited.\r\n",
			sender, to.Address, time.Now().Format(time.RFC1123Z), guest.Name,
		)
		if err := smtp.SendMail(hosts[0], nil, sender, []string{to.Address}, []byte(text)); err != nil {
			fail(w, err)
			return
		}
		reply(w, http.StatusAccepted, map[string]string{"sent": to.Address, "from": sender})
	})
	return nil
}
