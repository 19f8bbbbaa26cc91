//go:build unix

package os

import (
	"internal/poll"
	"io"
	"sync"
	"syscall"
)

// The wrappers in this file let the table of the virtual network decide what the service meets when it uses a file or a
// folder: the real one, or an error.

// sondeFile is an open file whose content the table may decide. A nil sondeFile is another file.
type sondeFile struct {
	resource string

	mu    sync.Mutex
	use   *poll.SondeUseFunc // the table that decided met
	met   poll.SondeUse
	left  int    // with ENOSPC, how many bytes can still be written
	round uint64 // the value of poll.SondeRound when a use of the file was last reported
}

//sonde:field file sonde *sondeFile

// sondeDirs has the folders that decide whether a file is one of the service.
var sondeDirs = sync.OnceValue(func() (d struct {
	work   string   // the working directory, with a slash at its end
	others []string // folders with files of the system, and of Sonde, each with a slash at its end
}) {
	if dir, err := syscall.Getwd(); err == nil && dir != "/" {
		d.work = dir + "/"
	}
	d.others = []string{
		"/proc/", "/sys/", "/dev/", "/etc/", "/usr/", "/lib/", "/lib64/", "/System/", "/Library/", "/private/etc/", "/private/var/db/",
	}
	if table, _ := syscall.Getenv("SONDE_NET"); table != "" {
		i := len(table)
		for i > 0 && table[i-1] != '/' {
			i--
		}
		d.others = append(d.others, table[:i])
	}
	if dir, _ := syscall.Getenv("GOCOVERDIR"); dir != "" {
		d.others = append(d.others, dir+"/")
	}
	return d
})

// sondeResourceOf returns the resource of a file of the service: its path, which is relative to the working directory if it is
// in there. It returns false for files of the system and of Sonde.
func sondeResourceOf(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	if name[0] == '.' {
		return name, true
	}
	if name[0] != '/' {
		return "./" + name, true
	}
	d := sondeDirs()
	for _, dir := range d.others {
		if dir != "" && sondeHasPrefix(name, dir) {
			return "", false
		}
	}
	if d.work != "" && sondeHasPrefix(name, d.work) {
		return "./" + name[len(d.work):], true
	}
	return name, true
}

func sondeHasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

// sondeUse returns what the service meets when it uses a file or a folder. use is nil if the table does not decide that.
func sondeUse(name string) (use *poll.SondeUseFunc, resource string, met poll.SondeUse) {
	use = poll.SondeEnvironment.Load()
	if use == nil {
		return nil, "", met
	}
	resource, ok := sondeResourceOf(name)
	if !ok {
		return nil, "", met
	}
	return use, resource, (*use)(resource)
}

// sondeError reports a use of a file or a folder, and returns the error that it meets, 0 for none. can reports whether an action of
// this kind can meet an error.
func sondeError(name, action string, can func(syscall.Errno) bool) syscall.Errno {
	use, resource, met := sondeUse(name)
	if use == nil {
		return 0
	}
	fails := met.Errno != 0 && can(met.Errno)
	met.Report(resource, action, fails)
	if !fails {
		return 0
	}
	return met.Errno
}

func sondeAny(syscall.Errno) bool { return true }

// sondeOpening reports whether opening a file can meet an error. Its content meets other errors.
func sondeOpening(e syscall.Errno) bool { return e == syscall.EACCES || e == syscall.ENOENT }

func OpenFile(name string, flag int, perm FileMode) (*File, error) {
	use, resource, met := sondeUse(name)
	if use == nil {
		return sondeRealOpenFile(name, flag, perm)
	}
	action, round := "open", poll.SondeRound.Load()
	if flag&O_CREATE != 0 {
		action = "create"
	} else if flag&(O_WRONLY|O_RDWR) != 0 {
		action = "update"
	}
	met.Report(resource, action, sondeOpening(met.Errno))
	if sondeOpening(met.Errno) {
		return nil, &PathError{Op: "open", Path: name, Err: met.Errno}
	}
	f, err := sondeRealOpenFile(name, flag, perm)
	if err == nil {
		f.sonde = &sondeFile{resource: resource, use: use, met: met, left: met.After, round: round}
	}
	return f, err
}

func Mkdir(name string, perm FileMode) error {
	if errno := sondeError(name, "mkdir", sondeAny); errno != 0 {
		return &PathError{Op: "mkdir", Path: name, Err: errno}
	}
	return sondeRealMkdir(name, perm)
}

// Rename renames a file. What it meets is decided by the new name, because the old one is often that of a temporary file.
func Rename(oldpath, newpath string) error {
	if errno := sondeError(newpath, "rename", sondeAny); errno != 0 {
		return &LinkError{"rename", oldpath, newpath, errno}
	}
	return sondeRealRename(oldpath, newpath)
}

func Remove(name string) error {
	if errno := sondeError(name, "remove", func(e syscall.Errno) bool { return e != syscall.ENOSPC }); errno != 0 {
		return &PathError{Op: "remove", Path: name, Err: errno}
	}
	return sondeRealRemove(name)
}

// Stat reports that a file exists also if the service may not read it.
func Stat(name string) (FileInfo, error) {
	can := func(e syscall.Errno) bool { return e == syscall.ENOENT || e == syscall.EIO }
	if errno := sondeError(name, "stat", can); errno != 0 {
		return nil, &PathError{Op: "stat", Path: name, Err: errno}
	}
	return sondeRealStat(name)
}

func (f *File) read(b []byte) (int, error) {
	if f.sonde.cannotBeRead() {
		return 0, syscall.EIO
	}
	return f.sondeRealRead(b)
}

func (f *File) pread(b []byte, off int64) (int, error) {
	if f.sonde.cannotBeRead() {
		return 0, syscall.EIO
	}
	return f.sondeRealPread(b, off)
}

func (f *File) write(b []byte) (int, error) {
	room, errno := f.sonde.room(len(b))
	if errno == 0 {
		return f.sondeRealWrite(b)
	}
	if room > 0 {
		if n, err := f.sondeRealWrite(b[:room]); err != nil {
			return n, err
		}
	}
	return room, errno
}

func (f *File) pwrite(b []byte, off int64) (int, error) {
	room, errno := f.sonde.room(len(b))
	if errno == 0 {
		return f.sondeRealPwrite(b, off)
	}
	if room > 0 {
		if n, err := f.sondeRealPwrite(b[:room], off); err != nil {
			return n, err
		}
	}
	return room, errno
}

// readFrom lets the kernel copy data only if the table decides neither about f nor about r.
func (f *File) readFrom(r io.Reader) (int64, bool, error) {
	if f.sonde.hasLimit() || SondeLimits(r) {
		return 0, false, nil
	}
	return f.sondeRealReadFrom(r)
}

// SondeLimits reports whether the table decides about the content of a file that a reader reads.
func SondeLimits(r io.Reader) bool {
	if l, ok := r.(*io.LimitedReader); ok {
		r = l.R
	}
	f := sondeFileOf(r)
	return f != nil && f.file != nil && f.sonde.cannotBeRead()
}

// cannotBeRead reports whether reading the file fails.
func (s *sondeFile) cannotBeRead() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fails := s.refresh("read") == syscall.EIO
	if fails {
		s.met.Report(s.resource, "read", true)
	}
	return fails
}

// hasLimit reports whether writing to the file may fail.
func (s *sondeFile) hasLimit() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refresh("write") != 0
}

// room returns how many of n bytes that are about to be written there is space for. If these are not all, it also reports the failure,
// and returns its error.
func (s *sondeFile) room(n int) (int, syscall.Errno) {
	if s == nil {
		return n, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	room := n
	errno := s.refresh("write")
	switch errno {
	case syscall.EIO:
		room = 0
	case syscall.ENOSPC:
		room = min(s.left, n)
		s.left -= room
	}
	if errno == 0 || errno == syscall.ENOSPC && room == n {
		return n, 0
	}
	s.met.Report(s.resource, "write", true)
	return room, errno
}

// refresh returns the error that the table has decided for the content of the file, 0 for none. A file that was opened with an
// earlier table, or in an earlier round, reports its use. With an earlier table it meets what the current one decides. The caller
// must hold the mutex.
func (s *sondeFile) refresh(action string) syscall.Errno {
	use, round := poll.SondeEnvironment.Load(), poll.SondeRound.Load()
	if use == nil {
		return 0
	}
	if use != s.use {
		s.use, s.met = use, (*use)(s.resource)
		s.left = s.met.After
	}
	if round != s.round {
		s.round = round
		s.met.Report(s.resource, action, false)
	}
	if s.met.Errno == syscall.EIO || s.met.Errno == syscall.ENOSPC {
		return s.met.Errno
	}
	return 0
}
