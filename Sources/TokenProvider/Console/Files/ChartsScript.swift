// Made from Console/Web/charts.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let chartsScript = WebFile(
        name: "charts.js",
        content: """
            H4sIAAAAAAACA5VZ227bSBJ991dUGGOWdChacpxBIo9i5DoZwJkMkuxisYIAUVJLYkKRWpKypdUI2Md93v3D-ZKtS5PspqTE4weL7EtVdd\
            XpU9XN83O4iRIF43mYFTlECXz6289dKOZqA3m4oYcog1USFT6EyQRCuA3jlcKWicqoF5ZplBT4nGYw4vEQZll6B1_VJg9OTqLFMs0K2MI4\
            TsdffRini2U4RmmTLLzzYRF-VbCDaZYuwAnOl-FMBV9y5-rkZJwmeQGvX3x69-YT9KDvOD44P8Il_VzIT6cNj-ECHvMzPHEGV3rWzZu3n3\
            HOkwv_BODjLz-_o7en9PL5w2_l48sPnz9_eI9vF21Ud352Bp_R-DjMZgpFyDLTqaxoHeW4_gJiFWLfcBqnaTbsQsdH9bjwJ1BEC5Wjd5bp\
            HfkCp6nEpy6z6S4N4Oz8ZLpKxkWUJjBWURwlM5d1-cBSfRiFufJgixbKYkRnD96HxTxYhGtruHdVjRM9PZ4PuBoez4NcfozTmcuyPDiHqo\
            W1sZRMFassgT4tyocnPnTaA9S3dN28UEsPes-BHuBMNHnBNEomzc7nPW3vGbSDZ8-eeXB9LS1XJ7uTE7VmNIzjMM_hFWGOF_qQQZRTmAdk\
            ysNcZZEy3serLE9pcckqjrnlDpUjynBEGy2VUXG0iIpqELZQUIfTNFuExZChlpcA_kuOEVoXV2UsIco50mJ8kS7t0A-xZYhzp9FaTSBNFA\
            dSez5bjQt08jIOxxiWLWKhiPFBb5pRusIfMQJtq_DPerGhIxGnJ1wJaZYFwE5AAPBh9EWNiwBdFs0St5iTQQ0tIt6CkMjacWgBaFawjFMy\
            gRzhOpPoFveNaACJSBccGuL4urEIR-hlte5Cu2zK0ljhsDyOcP9XA50wi8JWHI5U7HRheLpl43Y-nG7Jvl0ALypOgEV6q4hoaMsEQ1sEx2\
            YRJY6h0uwJ10d6kvTuSA-FGbucJIVJWISwUfUCNXeRRV1w1a1KCoYye0tAqVsbMxB6yZ-bgcBiJcZoUutSqKuxo3iVfW8M-vCIduyxdFux\
            j9VMIX-X0V_FFPwq7NLr2FMoQNWEfBkm1pR8ESJI_7mKVIF4XYxUluN8nxx952gxvCWCcLlE4a7ImUazVaYsSeMwm0gCIgF6mTJ6rkLGGW\
            x3ftn02Kng35XtRWr1djhirJjJJhs6AIYlQoee59errpxdbRvf9KKnl5eoO_io8uhf6sMIGetWZa4Zu0xRknQ9L0il263EsYBdRVFCf0gw\
            mYLhlizwhaby3ZC2SpqhIL9Kvkvkec2QSCHMdmUCynhrLaI4jnKF7DTJNVOtloh-5YomX0_3QWjUB5M6S96RtBLlN5J_ZFElE_c0S_3-u9\
            3xvGfuBfJYMivm0IKO-CyagvtAZHo1-7AmjTdzet-UPbjm4FxZk5igcJZWRznpF2pyZakcDn4SOJN5FOArM8B1ehFpP0EbrmV5XWmS4TtQ\
            MTI1LcGa96BnO25P7BFf7Ph_31ywxtnDMj7yVkZJ3jhWA0p934zmwNjKFRYr3Flcpe3m2ByInqdrgysDFqN0XcaKAB3MVPEyxaoQ65lXcY\
            RCP2LOcj1zSj4nePY0cQVjHvZ3dAfKQk3TAh-pcqP6xKW2u2jC7uJyriWFnCXRQowsvt8ewCOt6qyMk-7qDFBKY7CWFyM9jBTjvG36rYRV\
            mr0Jx3MNKl9AwdgqI06-46IqHOWuAbiW4A0xVfVaACelA2uoVxpiIs_kZUkKNMgIZ03-1u6Nzb17BIYykkvwxi6n2o1LNyOIWOVRYbaVlH\
            6DYevK3BaVMtz4mvNTo_FjNJuXQx9VrX9dGk3alb_hIcBsx2qUmmyp2PguXSjK-fAmmXRlpbuaZARk6BbmKudNPg6XyimhvJdeDXYypiKX\
            8oI94jnWgNxgbwcZvMz497Wahqu4wr2hRKr3KHFJil8X82g-a-hXSgeeZ8SVJ0s4zG1q0LAZMdu0BgvJw7dZoWyxQPSn9jpZV2_en6BziD\
            363OsDni4RFcxl1Ryf-UD3mJMkIzbRPI3D4j2dUpp8L8PpmBJj_eX-yjVKEOVvI0z4yuKRRWqfsDAoQVAKsCksvctvdK402LhKAfDDD1b7\
            Tz0RfgaXFnFxmS_1Bj7iPivPgoaG69ogkmHRv4eZyWjUdT8_84nOVEbBc4WF0DlMpo-k4QAdEvd-nzSJWm121nt3n6M3pJ1dyerpAI7aOz\
            ix2hL6QIueIPX8g_IFATiOprT0cd2Oxu0MhdNFApZ8tzOu-G4jdfcyxSPLsI1Z_HTLVu7wQcTthr4-HMyjyUTRQcPBA5xqlL4Pw7XKXZTp\
            w9qHDdtG6dUArQH3OmYe2VQWvGIYRtUudzl-2LLudNl3-HTRhdKb7EBUiZ0b1wx4yY6bi2YPmm7ZLtVAnbOSkOrJOmWVcxNlrlD699CefK\
            siI-AeSS0D2z1JvTH2iibNkmH2Vezh8aVZe86WXVlqIgJsH_A6n_pMr6vFstiQ10tXn9Mtx6arFdBrBeKniBES0AqT8TzNCCMLREus5IDz\
            q3GS9Jrn6yBTfOp5NY_iCbIpLcmOTrgRjxisew-0aULGoCL5G-VUOuUbkHZAFzaDZknNppTMlhFnu4idlC5xeDoWG49oblkOfx-92SpW9w\
            Gvvg0htIoRO68-djVitO6WJd5TDolMeASX-3GQU2rJenzrYa4HO3Aze2VUdk2fIdusCjo2odc6fMXFN13to45bHyDDUsgZ_NjGP--o88wF\
            lv6oANc6sLxSMqMa-V-Wa7d3nsB15Ui-68gLPjpbKK1G7Imk4zmOHf7xn_-ebnXvjoYNTa8JLg9zhFUbZKuE7-m0wv6AH_TuNzzPBCGXaj\
            VfNL0ux9uelcD7rHRwZdTZDxq5XKcXj40Jlqt87vYHVVj4zMY9iJVWx5MBw9Pt2qjTPczDb-lyz-14lC02WqbZPDyGKhROK2Mdutpw8YXJ\
            Fn9LrnqOTLWHs5BIDIbvT7c08gsa5Do3jreTd4PlOhS8edDhQDu7oekQfQjmECPPWjo7tcqq-ppGGZUOVIpy7YUTMKsH-TKOCtcBx8M3n8\
            Vol1k9VSwOQJ7WY_EFbkq6No3jVgfbJ3w7SIN2N6db0i_Obnv0zmZVDf8Y1omtdPo9NA4JtPpE3DrdimvwFEGZH9XTcJ_2TJZ-Va1JSLSR\
            hRvcfPKpQcOtVl3vhjpD6VOglaGsXVHThwExkfd9ipUEqUlW88b6oqYQbMWSSLi1IhP9NaMy29xCdSmgK63Dx9dju2rP4nGUjWPL5uEkLS\
            TKDY-PK-qrMbihAkaEI8i6cGk420iKlCh1TW-6lhizPgToWoc_UzTrnL40CPPgtmiu7wDLeCAFjTa2zDAHR2Kk_vj3_xzhO6NAMS4Kg7Gu\
            AsrtSEUPL6BsoOszfs_xMOu6bPJgr1hrSNMmVB6tOzqDgMS9SpMCj2VSY4V8p2DdTGl5zVIFzzxiDLtz3xa5XI0juY9tZPO9AtyhAvziEp\
            46R0tu-QroVpL2N_PRfey8b8Pluwv-DnifzWxkxMNXxPL1gmxijx29SpYcVd94e41qQzxY7bi-zy2WH7ffimr9fmEHs6e_WO3d0TdGVXg_\
            WG4jwPlLrElM0JWy4Gr_4sg8Eh-p9Pcq4FwVL4oii0ZYWriNrzeSdO49hazyD95J3VuELsLEK2XlhElozwu7LmaeJv519DhsOImadnoY1g\
            M6XyMEsTqAxkcmTWW7k_8D0CpvnWQfAAA
            """)
}
