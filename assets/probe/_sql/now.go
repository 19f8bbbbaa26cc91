package sql

import (
	"context"
	"os"
	"sync"
	"time"
)

// This file lets Sonde have what it asks for in SONDE_ROWS and SONDE_CLEAN done at once, although the service does not use its
// databases: after the last test. Sonde creates the file "now"; the service removes it, and then creates the file "settled".

// sondeInUse has the databases that the service has used.
var sondeInUse struct {
	once sync.Once
	dir  string // the folder that Sonde shares with the service, or ""
	mu   sync.Mutex
	all  map[*DB]bool
}

// sondePollInterval is the time after which the service looks again whether there is a file "now".
const sondePollInterval = 20 * time.Millisecond

// sondeNoteUse notes that the service uses a database.
func sondeNoteUse(db *DB) {
	u := &sondeInUse
	u.once.Do(func() {
		u.dir, u.all = os.Getenv("SONDE_CLEAN"), map[*DB]bool{}
		if u.dir == "" {
			u.dir = sondeRowsFolder()
		}
		if u.dir != "" {
			go sondeWaitForNow(u.dir)
		}
	})
	if u.dir == "" {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all[db] = true
}

// sondeWaitForNow takes a connection to each database when there is a file "now", because what Sonde asks for is done before a
// connection is used.
func sondeWaitForNow(dir string) {
	for {
		time.Sleep(sondePollInterval)
		if os.Remove(dir+"/now") != nil {
			continue
		}
		sondeInUse.mu.Lock()
		var all []*DB
		for db := range sondeInUse.all {
			all = append(all, db)
		}
		sondeInUse.mu.Unlock()
		for _, db := range all {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			if c, err := db.Conn(ctx); err == nil {
				_ = c.Close()
			}
			cancel()
		}
		sondeWriteFile(dir+"/settled", nil)
	}
}
