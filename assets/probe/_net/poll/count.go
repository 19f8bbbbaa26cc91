//go:build unix

package poll

// What is read and written is counted where it is watched.

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

// SondeRead and SondeWrote count what is read and written in other ways.

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

// hasWritten tells, too, for somebody may wait for the answer already.
func (w *SondeWatch) hasWritten(n int64) {
	if w == nil || n <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written += uint64(n)
	w.seat.wrote(w.written)
	w.say()
}
