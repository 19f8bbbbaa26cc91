// restoreSnapshot brings the service back to the state of a snapshot of the recording.
async function restoreSnapshot(name) {
  if (!service || !service.process) return;
  const { existsSync } = await import("node:fs"), { resolve } = await import("node:path"), { fileURLToPath } = await import("node:url");
  const here = fileURLToPath(new URL(".", import.meta.url)), folder = resolve(here, snapshots, name);
  if (!existsSync(folder)) throw new Error(`the snapshot ${folder} of the recording is missing`);
  if (restore.length > 0) {
    await runCommand(...restore.map((word) => word.replaceAll("{snapshot}", folder)));
  } else {
    await stopService();
    for (const [number, at] of stateFiles.entries()) await restoreFile(resolve(folder, String(number)), resolve(here, at));
    await restartService();
  }
  await beginTest();
}

// restoreFile replaces a file or folder by its copy. If the file is a database of SQLite, it also replaces the files
// that belong to the database.
async function restoreFile(folder, file) {
  const { cpSync, existsSync, lstatSync, readdirSync } = await import("node:fs"), { basename, dirname, join } = await import("node:path");
  const copy = join(folder, basename(file));
  if (!existsSync(copy)) throw new Error(`the snapshot has no copy of ${file}`);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) throw new Error(`${folder} has ${entry.name}, which is not a file`);
  }
  const isFile = lstatSync(copy).isFile();
  rmSync(file, { recursive: !isFile, force: true });
  for (const suffix of isFile ? ["-wal", "-shm", "-journal"] : []) {
    if (existsSync(file + suffix) && lstatSync(file + suffix).isFile()) rmSync(file + suffix);
  }
  for (const name of readdirSync(folder)) cpSync(join(folder, name), join(dirname(file), name), { recursive: true });
}

