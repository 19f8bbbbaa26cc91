// restoreSnapshot brings the service back to the state of a snapshot of the recording.
async function restoreSnapshot(name) {
  if (!service || !service.process) return;
  const { cpSync, existsSync } = await import("node:fs"), { fileURLToPath } = await import("node:url");
  const folder = fileURLToPath(new URL(`${snapshots}/${name}`, import.meta.url));
  if (!existsSync(folder)) throw new Error(`the snapshot ${folder} of the recording is missing`);
  if (restore.length > 0) {
    await runCommand(...restore.map((word) => word.replaceAll("{snapshot}", folder)));
  } else {
    await stopService();
    for (const [number, at] of stateFiles.entries()) {
      const file = fileURLToPath(new URL(at, import.meta.url)), copies = `${folder}/${number}`;
      if (!existsSync(`${copies}/${file.split(/[/\\]/).pop()}`)) throw new Error(`the snapshot has no copy of ${file}`);
      // What belongs to a database of SQLite is replaced with it.
      for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { recursive: true, force: true });
      cpSync(copies, fileURLToPath(new URL(".", new URL(at, import.meta.url))), { recursive: true });
    }
    await restartService();
  }
  await beginTest();
}

