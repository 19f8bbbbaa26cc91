    // AUTHORITIES are certificate authorities to trust in addition to the system's.
    static final KeyStore AUTHORITIES = authorities();

    static KeyStore authorities() {
        String named = System.getenv().getOrDefault("SONDE_CACERT", "");
        try (InputStream file = Files.newInputStream(Path.of(named.isEmpty() ? CA_CERT : named))) {
            KeyStore all = KeyStore.getInstance(KeyStore.getDefaultType());
            all.load(null, null);
            TrustManagerFactory system = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            system.init((KeyStore) null);
            for (X509Certificate known : ((X509TrustManager) system.getTrustManagers()[0]).getAcceptedIssuers()) {
                all.setCertificateEntry("system " + all.size(), known);
            }
            for (Certificate own : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                all.setCertificateEntry("own " + all.size(), own);
            }
            return all;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no CA certificate can be read: set SONDE_CACERT to the file that has it", e);
        }
    }
