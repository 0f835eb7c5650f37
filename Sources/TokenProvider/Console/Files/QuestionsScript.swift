// Made from Console/Web/questions.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let questionsScript = WebFile(
        name: "questions.js",
        content: """
            H4sIAAAAAAACA61YW3PbuBV-169A2MyWzMr07rTT6cjjZlInnqbdJjtxun3QaByYhETEFMElQDser_57v3MAUKTkpA9tHmICODjXD-ei01\
            Px70o64SolTKs66UwnbH-z1c7OhTN8UEq1NY2QtWnUQkhs36qGDnVjW1W4OfZKVWirDW-rL20tdYPtpsRRp2ojy3w209vWdE48ihtZbtRc\
            lD3k4c5crHVTzsVG3ykstvIWh41x-L_tlHMPc3EH5je1Ejux7sxWJPlpKzcq_2yTs9ns9MUL8RF6_tqr7kG0spNb5VQnzFooWVTiFtx_b4\
            UuvUYwTdTyRtW5eHE6g7KkVGEa68Tb11fiXDzOBK_7reoWYpm4TrdvXydzkXzEV7Ka47zsoCyf3qlKF7XyBL_4hafpG9f11qnyulQ1kT9c\
            76_FrV_G11-HTXE35vP_4TLcnpomC7hnE83zK7gqSJb29vpGuqJiYqzevrZMiU8AxCryNnQTNw9w2XYrLV3cISg-KuqLE9ICBJWSJUJSyE\
            ZUpqYgLAADq_70x76rKVIUlX99vDz5M1g5ZTk2674pCCBCNYUpVZk68MuG-DhxoxsJO8_FMs_zRt2zwDdM3KVZ7q_5W6t8K9s0JeaZOP-L\
            uEJUm01OcLqoZHdBhHyY5Z-NbtIkyc4gB_jru0bcOCNTLy3LOwV8F-pVXafJ9-SNk2S6eUqb1_vN9PT8--en2COeu9lM2oemEIN1VjVl2k\
            pXzSEOILZ4Ubpp-4mp3oGW4An30ws8-bkzdxqbJx_8rWQR74sd6a7XImU-4tn5OdBYKrwzVWaR1_KQz1siTlaQER3u1TgbtOiUbfGhQCLv\
            pXZirQCOoPyjwLurTLkQyc_vrz7CCUHQHHEvKuSOpDEnFilGJWI34koBGjhGETntpkzlEOPHGIq_X71_lwN2VqV0RLE9Q14oCKV7qkfg3U\
            ldL8Snj6MU1th71QGu99pVwjrpeiuePw4i_c4u_wQHih2FilB8VZl7YDheR2wYrRzaM86QN71zYA8-2Mez1zVtN1MQ-7Sark23nfvLyEf2\
            loKO0HQTXHt-54KIc85rV6pGqjVdmvhDwJlS7O98dk0y8fIlU--9Kgt2KmMtVUitjoFPUoTgdY70Sn9fq7Xs6-BsEaTnpbYSObcEE2Qg5c\
            84FPw1iPFOieGDRZFPpCgqXZcwkmiYOPexEedjWIqXwRGpJ8oEcg5VAVgMA_F63hknWmO5EmC99HRBlBCBa1ivslXUgn0d3-JFUCZFxoiK\
            5Wtdo2CkfzWmVrLJgv4DqL7J55sqJiPwlUZZKmvRCclqEPQVt69lbdUkJmtT9Nb7l58440OW5RsK408aZaKBHbzr5OYdCiE7Obl8_-GfCT\
            yceBAm8G1S1Lq4hZLAiU9LEaAol2kSavsJ8UoyX6KHXVXSVsp44uyVUKThvNNAQL7Yf_q7rbR8Mb-Tda_oPudXKr8DMD1gqGD7TNepdW9V\
            SdUneDjsoMyIe9k1yOF0SJ90GrbolOJCR7RN38hru_3jsHrT4K13isWgLuq19nI2xrCguMeSOuPlBCV4HYRcI7MVt_5uMg9QIYkiHJBgsf\
            SG5oPckGtWoyKz5MuBMNiJmE0Adlkr5cSbZoMnI-5Nj1LqKZFwtM0Jcyt6Of6StyXqBHBWVN0rpMBwl3otMeE54uYbvcDTcyH6NOnrhLJ9\
            UUtrASQKL_haJPV5VD_u-aobVhxmz6LWxAL03AvSY-SgLwPl8KjxrK2iULgH6CASkcwDBypQEzV-7bVyrENgkhNJNh94cX8ZdUHuM3hmSM\
            VJS2D2TNtjjv4a8_U01nH0vfrJBWIJ0pEYEbvVQdRaf8nwL5J8zQMDNqaGTuVdRSJS2lt0CK3ZyHUNMgIVGrYsuGivSbjZ9h2SlgLWDlR7\
            SoFL0x2JDgym8jLGYV_XE-yU-m7iY9vW2kcNNd2lyd-4ZUgGIPkWIovHF5gstnZ_XPA6yyABT4maipl_4ESOt5067Wro89mahuFHH5wTST\
            N6XfRnMVVusLz6Q1gyl4iSWYK6OTHCQwRkEj1iqb4sxA9sEU8vKcumXD_NsGFMOsiwYXecYaeJkeoCU9IiZlPvYe2z5s6vClnXXJhLFI0t\
            lfuDRmLZoD6ce7LVImarwHGfKte6s26QyqsTfSDZKtDuVfPLEVVsRzFgLUnvlfjuu8CYelM0xqT8cjhe_rBaMTdQxLveeKL-ykCUENOgyY\
            hr7ucWsPNno4w7rV3B9fRQ9p_cbloeFvT6IfW9AKkyuNx_4P2m0eOsI-VOKrmPPo0ugmv8fnALCsNCjG9RRPwl2errW_UQrg1POsHeCVON\
            WTzu6AHsCGOAXRqH8QP0rFHpCSC-ziyTCxYMGyM9cqJuCt3K49aMC5rsqat1uqCRDz1E0OrT88cnOPz2G-ok2myD-UMKVnkn0hGpNX1XqF\
            32idms5kGrfxCsRzqRryfT1XXC6TFb-TfvwTGQd32tDucdNhxJylbpMvnQc2s2ubDKjvjUGqON3n6b1ysntsZSixN_yzhmkK3Gg6TvaAci\
            RMDcewdzraa-zFf6p0he-U-m-hD6IBTnvSlKItVMa3V5UKtJfV8k2RAuz5wI5jxLrUY1-jAbli4siXxIhgGXZRkOfWHguYz-jRLzJPvFuS\
            XmPb8-biwDHXd-8cYwIUzgXVSy2XDfHBrsuIHJaDkA5Vk4jPKyaWSC9wORbFGdvO8_BHoazbm4RPxzzx-55fxDFI1V2mC0hGJrvQnQoHnz\
            gVu0iQrXqusMBnvWMlsdYSU2pMGavFbNBsPrSCUWivJtUW2o54qki0HFPeU7E8ki1ZlASrH8y1ihOoeel563FTQoQxNZCrlBKsz3KmQxoD\
            5yBWYmtATHY8gwYezL2FOTgKBMfTYcjkaMo1krOzvmMYxEXqU4bReVQUfiU1w6nq3_97IYzGaCk5jPK12WPOIG_s_2ReDoTsjfT17hMx7H\
            DkyhvDgx5KvNwF4e18-xpGdDhd0T-ao4pmLOz75VaY_qeXYgkf--QX8NB3P4-OecC0P9ITUT-0r_48pbO3KQfRpNjD6G4T60iPnEAf_1Gr\
            kxOxv_sEM_4GDQq9E8mTWvQInkE8NCL4OL0Ojn4oPYXPL1GJ0J8s6GHR9AMvY_7DLTOnYXAAA
            """)
}
