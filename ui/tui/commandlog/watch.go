package commandlog

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// Watch returns the use cases of e, which also add what they do to the log.
func (l *Log) Watch(e screen.Engine) screen.Engine {
	l.watchSpecs(&e)
	l.watchSearches(&e)
	l.watchSeqs(&e)
	l.watchManual(&e)
	l.watchFiles(&e)
	l.watchRequestFiles(&e)
	l.watchRecordings(&e)
	l.watchCorrections(&e)
	l.watchLogins(&e)
	l.watchEnvironments(&e)
	return e
}

// twin returns the command line for an action, "" if the use cases have none.
func twin[T any](command func(T) string, of T) string {
	if command == nil {
		return ""
	}
	return command(of)
}

func (l *Log) watchSpecs(e *screen.Engine) {
	load, commands := e.Specs.Load, e.Commands
	if load == nil {
		return
	}
	e.Specs.Load = func(ctx context.Context, source string) (*model.Spec, error) {
		spec, err := load(ctx, source)
		if ctx.Err() == nil {
			l.ended("read the spec", twin(commands.Read, source), err)
		}
		return spec, err
	}
}

func (l *Log) watchSearches(e *screen.Engine) {
	start, open, commands := e.Searches.Start, e.Searches.Open, e.Commands
	if start != nil {
		e.Searches.Start = func(ctx context.Context, s usecase.SearchSettings) (usecase.SearchRun, error) {
			run, err := start(ctx, s)
			if err != nil {
				l.ended("search", "", err)
				return run, err
			}
			text := "search"
			if s.ResumeFolder != "" {
				text = "resume the search"
			}
			l.Add(text+" in "+run.Folder(), run.Command())
			return run, nil
		}
	}
	if open != nil {
		e.Searches.Open = func(ctx context.Context, folder string) (usecase.PastSearch, model.Snapshot, error) {
			past, last, err := open(ctx, folder)
			l.ended("open the search in "+folder, twin(commands.OpenRun, folder), err)
			return past, last, err
		}
	}
}

func (l *Log) watchSeqs(e *screen.Engine) {
	calls, commands := e.Seqs, e.Commands
	if calls.Realise != nil {
		e.Seqs.Realise = func(ctx context.Context, seq model.Seq, o usecase.Surroundings) (model.Test, error) {
			test, err := calls.Realise(ctx, seq, o)
			l.ended("find values for "+seqText(seq), "", err)
			return test, err
		}
	}
	if calls.Replay != nil {
		e.Seqs.Replay = func(ctx context.Context, t model.Test, o usecase.Surroundings) (model.Test, error) {
			again, err := calls.Replay(ctx, t, o)
			l.ended("replay "+t.ID+" "+seqText(t.Seq()), twin(commands.Replay, t), err)
			return again, err
		}
	}
	if calls.Step != nil {
		e.Seqs.Step = func(ctx context.Context, t model.Test, at int, o usecase.Surroundings) (usecase.SendResult, error) {
			result, err := calls.Step(ctx, t, at, o)
			l.sent("step through "+seqText(t.Seq()), result, commands, err)
			return result, err
		}
	}
	if calls.List != nil {
		e.Seqs.List = func(ctx context.Context, s usecase.ListingSettings) (usecase.ListingRun, error) {
			run, err := calls.List(ctx, s)
			l.ended("call seqs while they are listed", twin(commands.List, s), err)
			return run, err
		}
	}
}

func (l *Log) watchManual(e *screen.Engine) {
	send, open, keep, commands := e.Manual.Send, e.Manual.OpenWebSocket, e.Manual.KeepSent, e.Commands
	if send != nil {
		e.Manual.Send = func(ctx context.Context, t model.Test, o usecase.Surroundings) (usecase.SendResult, error) {
			result, err := send(ctx, t, o)
			l.sent("send "+seqText(t.Seq()), result, commands, err)
			return result, err
		}
	}
	if open != nil {
		e.Manual.OpenWebSocket = func(ctx context.Context, t model.Test, o usecase.Surroundings) (usecase.SendResult, error) {
			result, err := open(ctx, t, o)
			l.ended("open a WebSocket by "+seqText(t.Seq()), "", err)
			return result, err
		}
	}
	if keep != nil {
		e.Manual.KeepSent = func(ctx context.Context, o usecase.Surroundings) (usecase.SendResult, error) {
			result, err := keep(ctx, o)
			l.ended("keep the last request as a test", "", err)
			return result, err
		}
	}
}

// sent adds a test that was sent. Its command line has a line for each request that was sent.
func (l *Log) sent(text string, result usecase.SendResult, commands usecase.Commands, err error) {
	command := ""
	for _, x := range result.Exchanges {
		line := twin(commands.Send, x)
		if line == "" {
			command = ""
			break
		}
		if command != "" {
			command += "\n"
		}
		command += line
	}
	l.ended(text, command, err)
}

func (l *Log) watchFiles(e *screen.Engine) {
	write, picture, commands := e.TestFiles.Write, e.TestFiles.WritePicture, e.Commands
	if write != nil {
		e.TestFiles.Write = func(format, faults, dir string, tests []model.Test, force bool) (string, error) {
			path, err := write(format, faults, dir, tests, force)
			command := ""
			if commands.Export != nil {
				command = commands.Export(format, faults, dir, tests)
			}
			l.written("export "+words.Plural(len(tests), "test")+" as "+format+" to "+dir, command, err)
			return path, err
		}
	}
	if picture != nil {
		e.TestFiles.WritePicture = func(path string, p usecase.GraphPicture, force bool) error {
			err := picture(path, p, force)
			l.written("write the picture "+filepath.Base(path), "", err)
			return err
		}
	}
}

func (l *Log) watchRequestFiles(e *screen.Engine) {
	save := e.RequestFiles.Save
	if save == nil {
		return
	}
	e.RequestFiles.Save = func(r usecase.SavedRequest, force bool) (usecase.SaveResult, error) {
		result, err := save(r, force)
		text := "save " + r.Name + " in " + r.File
		for _, note := range result.Notes {
			text += "; " + note
		}
		l.written(text, result.Command, err)
		return result, err
	}
}

// written adds a file that was written. If the file exists, nothing is added, because the user is asked first.
func (l *Log) written(text, command string, err error) {
	if !errors.Is(err, fs.ErrExist) {
		l.ended(text, command, err)
	}
}

func (l *Log) watchRecordings(e *screen.Engine) {
	recordings, commands := e.Recordings, e.Commands
	if recordings.Start != nil {
		e.Recordings.Start = func(ctx context.Context, s usecase.RecordSettings) (usecase.Recorder, error) {
			recorder, err := recordings.Start(ctx, s)
			if err != nil {
				l.written("record", "", err)
				return recorder, err
			}
			l.Add("record to "+recorder.Folder(), recorder.Command())
			return recorder, nil
		}
	}
	if recordings.Open != nil {
		e.Recordings.Open = func(ctx context.Context, dir string) (model.Recording, error) {
			recording, err := recordings.Open(ctx, dir)
			l.ended("open the recording in "+dir, twin(commands.OpenRecording, dir), err)
			return recording, err
		}
	}
	if recordings.Write != nil {
		e.Recordings.Write = func(of usecase.GenerateRequest, tests []model.Test, force bool) (string, error) {
			path, err := recordings.Write(of, tests, force)
			l.written("generate "+words.Plural(len(tests), "test")+" in "+of.Dir, twin(commands.Generate, of), err)
			return path, err
		}
	}
	if recordings.Generate != nil {
		e.Recordings.Generate = func(ctx context.Context, of usecase.GenerateRequest, tests []model.Test) (string, error) {
			report, err := recordings.Generate(ctx, of, tests)
			l.ended("play "+words.Plural(len(tests), "generated test"), twin(commands.Generate, of), err)
			return report, err
		}
	}
}

func (l *Log) watchCorrections(e *screen.Engine) {
	put, remove := e.Corrections.Put, e.Corrections.Remove
	if put != nil {
		e.Corrections.Put = func(c model.ValueCorrection) (string, error) {
			path, err := put(c)
			l.ended("correct a value in "+path, "", err)
			return path, err
		}
	}
	if remove != nil {
		e.Corrections.Remove = func(c model.ValueCorrection) (string, error) {
			path, err := remove(c)
			l.ended("remove a correction from "+path, "", err)
			return path, err
		}
	}
}

func (l *Log) watchLogins(e *screen.Engine) {
	add, remove, write := e.UserLogins.Add, e.UserLogins.Remove, e.UserLogins.Write
	if add != nil {
		e.UserLogins.Add = func(f model.UserForm) error {
			err := add(f)
			l.ended("add the user "+f.Name, "", err)
			return err
		}
	}
	if remove != nil {
		e.UserLogins.Remove = func(name string) error {
			err := remove(name)
			l.ended("remove the user "+name, "", err)
			return err
		}
	}
	if write != nil {
		e.UserLogins.Write = func(name string) (string, []string, error) {
			path, set, err := write(name)
			l.ended("write the user "+name+" to "+path, "", err)
			return path, set, err
		}
	}
}

func (l *Log) watchEnvironments(e *screen.Engine) {
	use := e.Environments.Use
	if use == nil {
		return
	}
	e.Environments.Use = func(ctx context.Context, name string) (screen.Service, []string, error) {
		service, users, err := use(ctx, name)
		l.ended("switch to the environment "+name, "", err)
		return service, users, err
	}
}

// seqText names the operations of a seq.
func seqText(seq model.Seq) string {
	if len(seq) == 0 {
		return "no calls"
	}
	text := string(seq[len(seq)-1])
	if n := len(seq) - 1; n > 0 {
		text += " after " + words.Plural(n, "call")
	}
	return text
}
