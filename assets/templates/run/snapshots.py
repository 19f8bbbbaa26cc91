

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
    """Replace a file or folder by its copy. What belongs to a database of SQLite is replaced with it."""
    assert os.path.exists(os.path.join(folder, os.path.basename(file))), f"the snapshot has no copy of {file}"
    for suffix in ("", "-wal", "-shm", "-journal"):
        if os.path.isdir(file + suffix):
            shutil.rmtree(file + suffix)
        elif os.path.exists(file + suffix):
            os.remove(file + suffix)
    shutil.copytree(folder, os.path.dirname(file), dirs_exist_ok=True)
