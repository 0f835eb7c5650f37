// Made from Console/Web/page.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let pageScript = WebFile(
        name: "page.js",
        content: """
            H4sIAAAAAAACA61Y4W7bRhL-76fYEkFBJjIly4mvteIEsdumudZpcA5yPxzjtCJX0sbUkiCXVnQugXuHe8M-Sb-ZXVKUreL-HBCL0s7O7O\
            zMN98MMxyKfy6lFbPcLkUhF6oS1VKWKhYf1Vcr8rmAQJWVyE22EepOlWKmknyFfRYbBsLw2kqWt3URHxwkuamsuPr0VpyJYGltcTocrtfr\
            eH0c5-ViOB6NRsPqbhFM2p3v3r6_wt77AyEWeZ6eiuDyKH4hTvD3HH_f4-9ohI9x_CIYYNNM8p6xGGMd_y7x6X6weC1LQ_ITcfTpb_ELeo\
            4-kQGWmtwop33yMys0k4OD4dOn4o0RKlMrZaxYa0RCWlvqWW1VNRCZrqwyFINwXpvEajgeCWlSkSx1lpbKxOLp8EB9LfLSinYLQnKrQiNX\
            atCzRjdtBiKO41Y34quXytalEXOdZWGaJzV5Eielklb96PxiU9Fgx7POxuSgcff4uFSiwkYxz0vKwl7P0lKu_4-evb8KcRKQ8L8c7BxgYz\
            7ef6HAZ9MlQoeTa-fvncxqdUOw_G32RSU2hoVSqyrcGomcrhB6LkK7KRQ2s5o4OwMmWyeCqM14LNP0xzt8-dUnOuydBc_JlsoqxQadpW9g\
            qTapmmujUvHtt2K7bOos212ZSyhvT6uUfdM62z-J3bMlvrzmI4UIAnHa86I5EFuXi0KZNOxlK55n0oZRjNhaXCHk9UicvXIxfezydplcjv\
            gIn2x_CifNg8dlAcopgBJqZ7nDw0JZD4bzzbuUxL6u_qGKTCZEFgBm66rjEkQTixuxzmv4MVOeaAaiyiEAJVVww1UbF1sF0EEXyEupFsFR\
            IlNzK7QRhcIZe6FeLfP1Fmm3avMQYu5eRGW419-vfnsfV8iNWej5JsR2jgrlvcseDJpf4DZnC2qRD9qkl53tJt7SF5UuIBfeiX4GKXmcw2\
            05vxGVXpiBsDkFaKYqnQKGtkLQynT_hbE_rCyqc6d8ueQDIt6BuBd3Wq3P869gwpEAh4I8x1gPZKnl4VKnqTIBZITFQIATnHIh7ZK0GZzg\
            YGbuaz7qRrx-7X7HxLAD3kJFDiu0ELgVRDa_Jf5N6hL3tRd5lpdeFjjh4VqnOOZUjHeXM6A2kQW5VeaAcfBY_CXXZlfe-EjuQBj9Y6EIw-\
            z5gCPJYGa-DqpCGo5RksmqOhVT3iae3POzmVI8ejH2-m0XcUDiDoLT4Fs2IBJbAc0E4UJnKj2sCwhXM20AM6BRljKxhOgVgI3UVHqW7Qez\
            l4UOdr3sXjFk3XqLsHB4_bm4v0ga-pw3n-vxaPwdf35_M1zUAzQzChRd3dPN9PPn-v7JPS_HSZ6qD4gouCocRbHN_RlHJ1HTTCNW2R4V4p\
            DL5v64idy3Z5E74l-4vi4rlF6pKsthnuIEWmqunz25vwb8SXITZ8os7LLhQaK6me5J3EKDoylxbu6wckEjhs_XrSOmINimEhv6eXTqT-5p\
            p0vjTjgphe6c2lCBnYlr3PH6u5PnoxFKI5WbwD2q4IawdX18woJlXpeBf7aiExKstAHBB923VniElQoTFGG0_QbZwc1k28HtOheZLDGMte\
            6gh0mR1qUkIACBdYIZpRLBWJBL4li48_e3e68W-sMcdDJlOSm46SUqG9ST52XIX-Ws6vYyAbrAENI5MDeTB7250v9GJVHlI_Rmw_2Z_W5b\
            sduXAFkPzmMPhoIM-E7LK4dnfvNTFk26fu5WX4lR5NyJi7pahsAUCwDTX_NEZsqDNQCRRY3wUqbsI_GaHEVjJU-babS17Qw6IPLesfj99z\
            3LR9w9O4sjDBwzdKXbtkf7onR6xEphIIBL2ALdtgnvUbypVzOM0NzzZLamfFoAuBJzte7xw97cgkgKiN1Y4qJNV_nmPduMdfUTaAZzhpO3\
            vUoEf_znv0Hb2raTyohu1kHA23wpRvHoaKv6kn52yo93H2HEjx4wk3PH7UGSPpQqQfEBksfRzuBhcON3xmaxU_iJqZPTSKVscstApg7i7h\
            0Q4L7qVb26AifruU6ksT_oBaB3iqJo0FGdiXaK2pJKF8LZBsXZD6ADK01mjPbgnAr1F82PS_d46x4f8eBioGJiKoTCqKuOiR_sXgEzo_Fz\
            Cq7b9NJZb0F1KI4mXvIMWyOvNnRqvfAwzvsJJ2yzqWtWv2mmj3kzyfLklnhzhYasOw4ATVK0f0AX25V0RfRRr3qFdPj2PGj73IcalCRds0\
            MEebbLdDHLZZm6WY1AjDnOCzHq2tz8BYCLzTmLPa-vUQb9PDhd-O_6s_vJcKDZHlDoVjzTB1WmV904k8mZyjAWTC9wEKJF5h39B7QSMPq8\
            f4_eAwLcKrmFLVltTCJCjppjNMp4SkRyxoa0SgPHJLbcwDe5lpowdKcX0uZl3IUnXpeoR3q35vvSsCcakUgLQr_vLF7x6OveMcnLCRNL5y\
            hpXmC-UEynpOTOlsaAltCQp_6ip7gxiTuew8sHpTWvbehvs9-mC86E4kSv7O79o1-pTqtjsStKuIR5MgAcY2Ddndf3Jr_zt9Xzr31o0ZjE\
            pE6D6IFf7cbHMC_gmKWJO_xS5Ybv1jb4B2M9yQf80oPLRd3A9AbvpAGNQLIh9Hw2wXas6-6FxsbteG145Bj4_y3g_yPAfJ7la8j7d_Vkkl\
            ueOZ2O1TZDq2yNVr3xM9V3O9MnK_aHFj-lYrQ0PMs33lzkRQhfUGde0p0Qr2QR-rkRZ_Es5OstyHQQMQv_CWFbCa0LEgAA
            """)
}
