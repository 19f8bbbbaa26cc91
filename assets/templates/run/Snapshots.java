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

    // restoreFile replaces a file or folder by its copy. What belongs to a database of SQLite is replaced with it.
    static void restoreFile(Path copies, Path file) throws IOException {
        assertTrue(Files.exists(copies.resolve(file.getFileName())), "the snapshot has no copy of " + file);
        for (String suffix : List.of("", "-wal", "-shm", "-journal")) {
            Path old = file.resolveSibling(file.getFileName() + suffix);
            if (Files.exists(old)) {
                try (Stream<Path> all = Files.walk(old)) {
                    for (Path one : all.sorted(Collections.reverseOrder()).collect(Collectors.toList())) {
                        Files.delete(one);
                    }
                }
            }
        }
        try (Stream<Path> all = Files.walk(copies)) {
            for (Path one : all.collect(Collectors.toList())) {
                Path to = file.resolveSibling(copies.relativize(one).toString());
                if (Files.isDirectory(one)) {
                    Files.createDirectories(to);
                } else {
                    Files.copy(one, to, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

