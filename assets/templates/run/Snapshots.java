    // restoreSnapshot brings the service back to the state of a snapshot of the recording.
    static void restoreSnapshot(String name) {
        if (!isStarted()) {
            return;
        }
        Path folder = Path.of(SNAPSHOTS, name).toAbsolutePath().normalize();
        assertTrue(Files.isDirectory(folder), "the snapshot " + folder + " of the recording is missing");
        try {
            if (STATE_FILES.isEmpty()) {
                SERVICE.run(RESTORE.stream().map(word -> word.replace("{snapshot}", folder.toString())).collect(Collectors.toList()));
            } else {
                SERVICE.stop();
                for (int i = 0; i < STATE_FILES.size(); i++) {
                    restoreFile(folder.resolve(String.valueOf(i)), Path.of(STATE_FILES.get(i)).toAbsolutePath().normalize());
                }
                SERVICE.restart();
            }
        } catch (IOException e) {
            fail("the snapshot " + folder + " cannot be restored: " + e);
        }
        beginTest();
    }

    // restoreFile replaces a file or folder by its copy. If the file is a database of SQLite, it also replaces the
    // files that belong to the database.
    static void restoreFile(Path folder, Path file) throws IOException {
        Path copy = folder.resolve(file.getFileName());
        assertTrue(Files.exists(copy), "the snapshot has no copy of " + file);
        List<Path> copies;
        try (Stream<Path> all = Files.walk(folder)) {
            copies = all.filter(one -> !one.equals(folder)).collect(Collectors.toList());
        }
        for (Path one : copies) {
            assertTrue(!Files.isSymbolicLink(one), one + " is a symbolic link");
        }
        if (Files.isDirectory(copy)) {
            remove(file);
        } else {
            Files.deleteIfExists(file);
            for (String suffix : List.of("-wal", "-shm", "-journal")) {
                Path other = file.resolveSibling(file.getFileName() + suffix);
                if (Files.isRegularFile(other)) {
                    Files.delete(other);
                }
            }
        }
        for (Path one : copies) {
            Files.copy(one, file.resolveSibling(folder.relativize(one).toString()), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    // remove removes a folder with everything in it. Symbolic links are not followed.
    static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.sorted(Collections.reverseOrder()).collect(Collectors.toList())) {
                Files.delete(one);
            }
        }
    }

