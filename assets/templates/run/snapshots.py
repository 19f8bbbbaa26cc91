

def restoreSnapshot(name):
    """Bring the service back to the state of a snapshot of the recording."""
    if SERVICE is None or SERVICE.process is None:
        return
    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.path.normpath(os.path.join(here, SNAPSHOTS, name))
    assert os.path.isdir(folder), f"the snapshot {folder} of the recording is missing"
    if RESTORE:
        SERVICE.run([word.replace("{snapshot}", folder) for word in RESTORE])
    else:
        SERVICE.stop()
        for number, file in enumerate(STATE_FILES):
            restore_file(os.path.join(folder, str(number)), os.path.normpath(os.path.join(here, file)))
        SERVICE.restart()
    beginTest()


def restore_file(folder, file):
    """Replace a file or folder by its copy. If the file is a database of SQLite, replace the files that belong to it, too."""
    copy = os.path.join(folder, os.path.basename(file))
    assert os.path.exists(copy), f"the snapshot has no copy of {file}"
    for at, folders, files in os.walk(folder):
        assert not any(os.path.islink(os.path.join(at, name)) for name in folders + files), f"{at} has a symbolic link"
    if os.path.isdir(copy):
        shutil.rmtree(file, ignore_errors=not os.path.exists(file))
        shutil.copytree(copy, file)
        return
    for name in [file] + [file + suffix for suffix in ("-wal", "-shm", "-journal") if os.path.isfile(file + suffix)]:
        if os.path.lexists(name):
            os.remove(name)
    for name in os.listdir(folder):
        shutil.copy2(os.path.join(folder, name), os.path.dirname(file))
