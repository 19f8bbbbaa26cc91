package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"
)

// The free space, in bytes, below which there is advice. The first build of the demo, which is small, needs 90 MiB of
// temporary files, and its probes need 150 KiB of memory; the numbers leave room for a large service.
const (
	littleTemp   = 1 << 30
	littleMemory = 16 << 20
)

// folderChecks returns the checks of the folders into which Sonde writes.
func (e Environment) folderChecks(p project) (all []examination) {
	for _, f := range e.Folders {
		all = append(all, examination{
			section: Folders, name: f.Name, purpose: f.Purpose, onError: f.Advice,
			examine: func(context.Context) finding { return e.writable(f) },
		})
	}
	return append(
		all,
		examination{
			section: Folders, name: "temporary", purpose: "builds of services", needed: p.builds(), onError: tempAdvice,
			examine: func(context.Context) finding { return e.space(e.TempFolder, littleTemp, tempAdvice) },
		},
		examination{
			section: Folders, name: "memory", purpose: "reports of probes", onError: memoryAdvice,
			examine: func(context.Context) finding { return e.memory() },
		},
	)
}

const (
	tempAdvice   = "free some space, or name another folder by TMPDIR (on Windows TMP)"
	memoryAdvice = "the folder of temporary files takes its place; for containers, use --shm-size"
)

// writable checks that files can be created in a folder of Sonde, which need not exist yet.
func (e Environment) writable(f Folder) finding {
	err := f.Err
	if err == nil {
		err = e.Files.CheckCreatable(f.Path)
	}
	if err != nil {
		return failed(fmt.Sprintf("%s cannot be written: %v", cmp.Or(f.Path, "it"), err), f.Advice)
	}
	return works(f.Path)
}

// space checks that files can be created in a folder, and that it has space for a number of bytes.
func (e Environment) space(folder string, least uint64, advice string) finding {
	if err := e.Files.CheckWritable(folder); err != nil {
		return failed(fmt.Sprintf("%s cannot be written: %v", folder, err), advice)
	}
	free, err := e.Files.FreeSpace(folder)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return works(folder + ", free space unknown")
	case err != nil:
		return limited(fmt.Sprintf("%s, free space unknown: %v", folder, err), advice)
	}
	found := fmt.Sprintf("%s, %s free", folder, humanize.IBytes(free))
	if free < least {
		return limited(found, advice)
	}
	return works(found)
}

// memory checks the folder whose files are in memory.
func (e Environment) memory() finding {
	if e.MemoryFolder == "" {
		found := "there is no folder of this kind"
		if e.System.OS == "linux" {
			return limited(found, memoryAdvice)
		}
		return works(found + " on this system; the folder of temporary files takes its place")
	}
	f := e.space(e.MemoryFolder, littleMemory, memoryAdvice)
	if f.status == Failed {
		f.status = Limited // because there is another folder
	}
	return f
}
