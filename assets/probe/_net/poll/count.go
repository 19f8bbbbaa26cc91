//go:build unix

package poll

// The wrappers in this file count the bytes that are read and written on watched sockets.

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

// SondeRead counts bytes that were read by a method other than Read.
func (fd *FD) SondeRead(n int) { fd.pd.sonde.hasRead(n) }

// SondeWrote counts written bytes.
func (fd *FD) SondeWrote(n int64) { fd.pd.sonde.hasWritten(n) }

func (w *SondeWatch) hasRead(n int) {
	if w == nil || n <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read += uint64(n)
}

// hasWritten counts n bytes. If the socket waits, it reports the wait again with the new count.
func (w *SondeWatch) hasWritten(n int64) {
	if w == nil || n <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written += uint64(n)
	w.slot.setWritten(w.written)
	w.reportWait()
}
