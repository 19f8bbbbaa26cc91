//go:build unix

package poll

// Bytes that are read and written on watched sockets are counted.

func (fd *FD) Read(p []byte) (int, error) {
	n, err := fd.sondeRealRead(p)
	fd.pd.sonde.hasRead(n)
	return n, err
}

func (fd *FD) Write(p []byte) (int, error) {
	n, err := fd.sondeRealWrite(p)
	fd.SondeWrote(int64(n))
	return n, err
}

func (fd *FD) Writev(v *[][]byte) (int64, error) {
	n, err := fd.sondeRealWritev(v)
	fd.SondeWrote(n)
	return n, err
}

// SondeRead and SondeWrote count bytes that are read and written in other ways.

func (fd *FD) SondeRead(n int) { fd.pd.sonde.hasRead(n) }

func (fd *FD) SondeWrote(n int64) { fd.pd.sonde.hasWritten(n) }

func (w *SondeWatch) hasRead(n int) {
	if w == nil || n <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read += uint64(n)
}

// hasWritten reports it, too, since the other end may already wait for the answer.
func (w *SondeWatch) hasWritten(n int64) {
	if w == nil || n <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written += uint64(n)
	w.slot.wrote(w.written)
	w.say()
}
