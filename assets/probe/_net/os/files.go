//go:build unix

package os

import (
	"internal/poll"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
)

// When the service uses a file or a folder, the wrappers in this file let the table of the virtual network
// decide the outcome: the real file or folder is used, or there is an error.

// sondeFile is the state of an open file of the service. The table may make reads and writes of the file fail. The
// state is nil for files that are no resources.
type sondeFile struct {
	resource string

	mu    sync.Mutex
	use   *poll.SondeUseFunc // the function that returned met; each table has its own
	met   poll.SondeUse
	left  int    // with ENOSPC, how many bytes can still be written
	round uint64 // the value of poll.SondeRound when a use of the file was last reported
}

//sonde:field file sonde *sondeFile

// sondeDirs has the folders that decide whether a file belongs to the service.
var sondeDirs = sync.OnceValue(func() (d struct {
	work   []string // the paths of the working directory; none if it is the root
	sonde  []string // folders with files of Sonde
	system []string // folders with files of the system
}) {
	if dir, err := syscall.Getwd(); err == nil && dir != "/" {
		d.work = append(d.work, dir)
		pwd, _ := syscall.Getenv("PWD")
		if pwd = sondeClean(pwd); pwd != dir && pwd[0] == '/' && sondeIsSameFile(pwd, dir) {
			d.work = append(d.work, pwd)
		}
	}
	if table, _ := syscall.Getenv("SONDE_NET"); table != "" {
		d.sonde = append(d.sonde, sondeClean(table+"/.."))
	}
	if dir, _ := syscall.Getenv("GOCOVERDIR"); dir != "" {
		if dir[0] != '/' && len(d.work) > 0 {
			dir = d.work[0] + "/" + dir
		}
		d.sonde = append(d.sonde, sondeClean(dir))
	}
	if dir, _ := syscall.Getenv("SONDE_ROWS"); dir != "" {
		d.sonde = append(d.sonde, sondeClean(dir))
	}
	d.system = []string{
		"/proc", "/sys", "/dev", "/etc", "/usr", "/lib", "/lib64", "/bin", "/sbin", "/run", "/nix", "/System", "/Library", "/private/etc",
		"/private/var/db", sondeClean(runtime.GOROOT()),
	}
	d.system = append(d.system, sondeSearchPath(d.work)...)
	return d
})

// sondeSearchPath returns the folders in which programs are looked up. It leaves out a folder that contains the
// working directory.
func sondeSearchPath(work []string) (all []string) {
	list, _ := syscall.Getenv("PATH")
	for from, i := 0, 0; i <= len(list); i++ {
		if i < len(list) && list[i] != ':' {
			continue
		}
		dir := sondeClean(list[from:i])
		from = i + 1
		if dir[0] == '/' && dir != "/" && (len(work) == 0 || !sondeIsIn(work[0], dir)) {
			all = append(all, dir)
		}
	}
	return all
}

func sondeIsSameFile(a, b string) bool {
	first, err1 := sondeRealStat(a)
	second, err2 := sondeRealStat(b)
	return err1 == nil && err2 == nil && SameFile(first, second)
}

// sondeResourceOf returns the name of the resource for a file of the service. It returns false for an empty name, and
// for files of the system and of Sonde, which are not resources. The name is a path:
//
//   - relative to the working directory and with "./" for a file below that directory
//   - absolute for another file that the service names by an absolute path
//   - with "../" for another file that the service names by a relative path
func sondeResourceOf(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	d, path := sondeDirs(), sondeClean(name)
	whole := path
	if path[0] != '/' && len(d.work) > 0 {
		whole = sondeClean(d.work[0] + "/" + path)
	}
	for _, dir := range d.sonde {
		if sondeIsIn(whole, dir) {
			return "", false
		}
	}
	for _, dir := range d.work {
		if whole == dir {
			return "./", true
		}
		if sondeIsIn(whole, dir) {
			return "./" + whole[len(dir)+1:], true
		}
	}
	for _, dir := range d.system {
		if sondeIsIn(whole, dir) {
			return "", false
		}
	}
	switch {
	case path[0] == '/':
		return path, true
	case path == "." || path == "..":
		return path + "/", true
	case len(path) > 2 && path[:3] == "../":
		return path, true
	}
	return "./" + path, true
}

// sondeIsIn reports whether path is the folder dir or is in it.
func sondeIsIn(path, dir string) bool {
	n := len(dir)
	return len(path) >= n && path[:n] == dir && (len(path) == n || path[n] == '/')
}

// sondeClean is like filepath.Clean: it returns the shortest path that is equivalent to name. It does not
// resolve symbolic links.
func sondeClean(name string) string {
	isRooted := name != "" && name[0] == '/'
	var out []byte
	inside := 0 // the number of names in out that are not ".."
	for from, i := 0, 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		part := name[from:i]
		from = i + 1
		switch {
		case part == "" || part == ".":
		case part == ".." && inside > 0:
			inside--
			for len(out) > 0 && out[len(out)-1] != '/' {
				out = out[:len(out)-1]
			}
			out = out[:max(len(out)-1, 0)]
		case part == ".." && isRooted:
		default:
			if isRooted || len(out) > 0 {
				out = append(out, '/')
			}
			out = append(out, part...)
			if part != ".." {
				inside++
			}
		}
	}
	switch {
	case len(out) > 0:
		return string(out)
	case isRooted:
		return "/"
	}
	return "."
}

// sondeUse returns the outcome of a use of a file or a folder. use is nil if the table does not decide about
// the file.
func sondeUse(name string) (use *poll.SondeUseFunc, resource string, met poll.SondeUse) {
	use = poll.SondeEnvironment.Load()
	if use == nil || sondeRemoving.has(name) {
		return nil, "", met
	}
	resource, ok := sondeResourceOf(name)
	if !ok {
		return nil, "", met
	}
	met = (*use)(resource)
	if met.Errno == syscall.ENOENT && sondeCreated.has(use, resource) {
		met.Errno = 0
	}
	return use, resource, met
}

// sondeCreated has the files and folders that the service created since the current table was set. They exist
// for the service, even if the table says that they do not exist.
var sondeCreated sondeFiles

type sondeFiles struct {
	mu    sync.Mutex
	use   *poll.SondeUseFunc // the table
	names map[string]bool
}

// sondeMaxFiles is the maximum number of files in sondeCreated.
const sondeMaxFiles = 256

func (s *sondeFiles) has(use *poll.SondeUseFunc, resource string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.use == use && s.names[resource]
}

// note records that the service created a file or, if exists is false, removed it. If err is not nil, note does
// nothing.
func (s *sondeFiles) note(name string, exists bool, err error) {
	use := poll.SondeEnvironment.Load()
	if use == nil || err != nil {
		return
	}
	resource, ok := sondeResourceOf(name)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.use != use {
		s.use, s.names = use, map[string]bool{}
	}
	if !exists {
		delete(s.names, resource)
	} else if len(s.names) < sondeMaxFiles {
		s.names[resource] = true
	}
}

// sondeRemoving has the paths that running calls of RemoveAll use. The table has already decided about these
// calls, so it does not decide about the paths again.
var sondeRemoving sondePaths

type sondePaths struct {
	count atomic.Int32 // the number of paths in use; makes the method has fast
	mu    sync.Mutex
	names map[string]int
}

func (s *sondePaths) has(name string) bool {
	if s.count.Load() == 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[name] > 0
}

// add adds n, which is 1 or -1, to the number of uses of each path.
func (s *sondePaths) add(n int, paths ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count.Add(int32(n))
	if s.names == nil {
		s.names = map[string]int{}
	}
	for _, path := range paths {
		s.names[path] += n
		if s.names[path] == 0 {
			delete(s.names, path)
		}
	}
}

// sondeError reports a use of a file or a folder, and returns the error with which the use fails, or 0. can
// reports whether this action can fail with a given error.
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
	fails := met.Errno == syscall.EACCES || met.Errno == syscall.ENOENT && flag&O_CREATE == 0 // the other errors make reads and writes fail
	met.Report(resource, action, fails)
	if fails {
		return nil, &PathError{Op: "open", Path: name, Err: met.Errno}
	}
	f, err := sondeRealOpenFile(name, flag, perm)
	if flag&O_CREATE != 0 {
		sondeCreated.note(name, true, err)
	}
	if err == nil {
		f.sonde = &sondeFile{resource: resource, use: use, met: met, left: met.After, round: round}
	}
	return f, err
}

func Mkdir(name string, perm FileMode) error {
	can := func(e syscall.Errno) bool { return e == syscall.EACCES || e == syscall.ENOSPC }
	if errno := sondeError(name, "mkdir", can); errno != 0 {
		return &PathError{Op: "mkdir", Path: name, Err: errno}
	}
	err := sondeRealMkdir(name, perm)
	sondeCreated.note(name, true, err)
	return err
}

// Rename renames a file. The table decides about the new name, because the old name is often that of a
// temporary file.
func Rename(oldpath, newpath string) error {
	if errno := sondeError(newpath, "rename", func(syscall.Errno) bool { return true }); errno != 0 {
		return &LinkError{"rename", oldpath, newpath, errno}
	}
	err := sondeRealRename(oldpath, newpath)
	sondeCreated.note(oldpath, false, err)
	sondeCreated.note(newpath, true, err)
	return err
}

func Remove(name string) error {
	if errno := sondeError(name, "remove", func(e syscall.Errno) bool { return e != syscall.ENOSPC }); errno != 0 {
		return &PathError{Op: "remove", Path: name, Err: errno}
	}
	err := sondeRealRemove(name)
	sondeCreated.note(name, false, err)
	return err
}

// RemoveAll removes a file, or a folder with all files in it. The table decides once, about path. It cannot
// decide that path does not exist, because that is no error here.
func RemoveAll(path string) error {
	if errno := sondeError(path, "removeall", func(e syscall.Errno) bool { return e == syscall.EACCES || e == syscall.EIO }); errno != 0 {
		return &PathError{Op: "unlinkat", Path: path, Err: errno}
	}
	if path == "" {
		return sondeRealRemoveAll(path)
	}
	parent, _ := splitPath(path)
	sondeRemoving.add(1, path, parent)
	defer sondeRemoving.add(-1, path, parent)
	return sondeRealRemoveAll(path)
}

// Stat works for a file that the service may not read, because it does not read the file. So the table can only
// decide that the file does not exist, or that the disk fails.
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

// readFrom lets the kernel copy data only if the table permits all writes to f and all reads from r.
func (f *File) readFrom(r io.Reader) (int64, bool, error) {
	if f.sonde.hasLimit() || SondeReadMayFail(r) {
		return 0, false, nil
	}
	return f.sondeRealReadFrom(r)
}

// SondeReadMayFail reports whether r reads from a file whose reads the table lets fail.
func SondeReadMayFail(r io.Reader) bool {
	if l, ok := r.(*io.LimitedReader); ok {
		r = l.R
	}
	f := sondeFileOf(r)
	return f != nil && f.file != nil && f.sonde.cannotBeRead()
}

// cannotBeRead reports whether the table lets reads of the file fail. If so, it also reports the failure to
// Sonde.
func (s *sondeFile) cannotBeRead() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fails := s.refresh("read") == syscall.EIO
	if fails {
		s.met.ReportContent(s.resource, "read", true)
	}
	return fails
}

// hasLimit reports whether the table may let writes to the file fail.
func (s *sondeFile) hasLimit() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refresh("write") != 0
}

// room returns how many of the next n bytes may be written, and the error with which the write then fails. The
// error is 0 if all n bytes may be written. Otherwise room also reports the failure.
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
	s.met.ReportContent(s.resource, "write", true)
	return room, errno
}

// refresh returns the error with which the table lets reads and writes of the file fail, or 0. If a new round
// has begun since the file was last used, refresh reports the use. If there is a new table, the new table
// decides from now on. The caller must hold the mutex.
func (s *sondeFile) refresh(action string) syscall.Errno {
	use, round := poll.SondeEnvironment.Load(), poll.SondeRound.Load()
	if use == nil {
		return 0
	}
	switch {
	case use != s.use:
		s.use, s.round = use, round
		s.met = (*use)(s.resource)
		s.left = s.met.After
		s.met.Report(s.resource, action, false)
	case round != s.round:
		s.round = round
		s.met.ReportContent(s.resource, action, false)
	}
	if s.met.Errno == syscall.EIO || s.met.Errno == syscall.ENOSPC {
		return s.met.Errno
	}
	return 0
}
