// Made from Console/Web/style.css: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let style = WebFile(
        name: "style.css",
        content: """
            H4sIAAAAAAACA7Uba4_bNvJ7fgWvRYHdxHL0sL1eBw3u0Lui96F3QHMvoMgHWqIsdmXJJ1H7aJH_fjN8iZIorzfNIdjYGg2Hw5nhvEi_fU\
            3-XjEink6MtCktGbmKYhKtSLQhcUji7fWC1IDQnmjKq4PBWZEtQTxAWpEkJiuDR9OUVYLQKiOiaBgMFFSwdklev321a-pakN9eEZLWZd0E\
            bVqwI9uRkh8KQTLa3L2Dd0FwogeAfp2v802-VaCUNhmC8lw9t111B8-M5WG-UqCSVzgqu80ytlYglklCN-l2c3urQII9CgBFN1EabxTovx\
            1nCFvH63TDFEwtA4Dxar1J9di66uGWEwUJ2jpHMNuwLE_Vm0NdI89hvtknDsiihnnCbhT8gTYVgLY36ygMe5BBzdM8zDQTe4pE90m8iZiF\
            9Ihsy_SyWtZw1gbRaBEaHCNn-81-kwzACYDpdp0ZLjR4hcztk3w_BK9Ratnm5kZrqaVVuyPtUyvYMej4ggT0dCpZoCAL8tUHdqgZ-edfv1\
            qQn-p9LWqA_cDKeyZ4SsnfWMfgzZ8aTssFQWJyIi3oY13VO9Jx-QXNkSHB78mP8AijPnyPX4Kf2KErabMgP7KqBPLf1VVbl7QF3D-zX-i_\
            OvIB6JpBlpSaoqEZ72AFUXh6fPfq06tXfzyyjFNydWpYzpo2GNotWuy1tOfesh37DfMoieg7DdQWHG2jLL4xQG3GURRpbTqGHKfJahUboD\
            Hlm21ya2lqYwadp3ligMacaUKzfW6g1nC3-T7OLdg16TCLVvFqOMAYFjBNV1vzTlv2Js_Wt3sXaNHjJIzsJNq683B_u967QIOerMGaQ_NG\
            WXie39JbF2aR9xGNLCuOlQ9X5tj5ep3maTJ6kUw4cmw9u6FxHo9erAdC_YT28XpBdrs9y-uG4TeaC9ZIM9jXj0HLfwWPuYPvTcaaAEDSpg\
            pxLCVOmzZ1WYK1ZBngBaI-7chNjJYHkz6w_R0XUsNIiAU0-6VrBdpm-I2ks6-zJ0nnSJsDBwFLYe1pendo6q4CGd7T5kpZ4_U743QNFAlL\
            aF6j8qPV6fFttFzrt7j3rhW30YIUMfwlC3JakA42Zg1_Gf5lAMKF5_zQqU9WZi0TU670GuUTEFVUJFrJW1igeCrBuisIIPL9gJASnyZ05F\
            XwwDNRGFJFJJFwFVJOsJSNEiFuo6BgGFt2EKX0ji7iMX4c-vC3GsgEqDTQ0W9HgmUYsaOilExmXvkoGV9C-8hnlKD2mFSDVDRojTVydJ3n\
            Le7iRA9O64xpaS_RafVT5_TIyydDEd9ZtRq24nNs7fI67drgnrd8D5Ed6dadUD4IBhLwnjyb8qtxLKN6Dm3rxpEaqf9ccIjK1UdJPuPtqa\
            RPSt_kD_x4qhtBKyExl9J9TUUlwcokl-2RluVE-L5VKlvAMVV33IMH70cBWQ6TBvACtne6I4LuMXIgoJVj3r4m_wCtkDontShgMHDM7mGD\
            gwHC_6KgFeGiJbAYjEXqXYP_tywzzyfKK8EylFcLw2QetDzwe1YpUQNOXtYPwUNDYfvT6ukBZpKhoKs4aj3Y84zvCMcoJtT2WHZVyzSBU9\
            1ywWvYaHQPKJ2QY_UWiZRIrDTUo9mZgX42POyI0pL0FSU_gedAIhwmE1fr8Bup94eCCyb3g9ywyLZWyh0_neGoZLno96b0dcFKb7JfAw6G\
            _wjWPvAV8NYOmLo1xxYHhmIj2rXHHkP4h2S3xiyQa7UDJO-Sr9Bqv2AwcUOoAGUzfKnUh7DhSlvIX-6e3jkUnFXF_gVgQuDyCOmQqI9SS4\
            NNhwatDR8mfp_x--EuyksmRYSf2oyUVgihkFlXASjsCGtHmbAGwQfECbVPVD7VmMjabpi8oUflDowxycCD5vNoXHC0XYVDmwoJ7UQ9dPnu\
            LjQ0J9yfY9VsbXdmw8w4HqgpdFTwWbZ0tP0LVoKlt7ydte3BtDDd1Sa8f1iQFTrQa2dKfjwMV7Yv6_TO2YxG3JOQpMaPvdqDRluFoVU-qa\
            hSPkoNhOCXgEHsSr-orc8BEkZbKheBkYaWjcWWHJ1ZnlU0qtnqyuu8tfQzltYNVTtHzeON1mecjeVpV-BqpuHCpjeTCW2MHVOajYM2xgVW\
            YyU48N9jx7hZAuUSlQaA6BEihbPrBmmhEYgBGl-xMo4MB79vWYprdNIvNTqJPVi7nDeQeqUFL7PJCGVJGvN9wWimhfxir7OnLVPS1kJYOV\
            5dT2k9n-ETfO934B1b2UY4NDxT_YMlukyVEz7nTWfd6CQkqLfq6Xpiz_4dhiwNxYGQXs96IALBEo8njNxYO3ZHrI8bdmJUXKHig5yXkAvD\
            DOBkrtC7oGNbkCQBEtcLEuXNtXYyBYUyuf1SswrPpKtt6E46UmQraKNTNPia3r1__Qaqn5_BbbBvscfTtR8RNDElV6kfZC8IbJ60QHkBnw\
            -gDKllKvdv1yhFy6bRcK28knvxkn22GWwWlcZiSS-_bL2J6u2tAl-WNo9c9EZ1S2bCx4wnnJowNgOurYRh_e39YRCA41E6p59VMOgdthy8\
            xHJ86hcROjO9rd9dHpZYpk_JIHSGjK3rB2Sgfp9SAeAMEVPuGxrdEUzq6YvkPTJKJfHYRKxrN3MtpWm-3McPXVujVGWd_Ij8SMMmmyps7J\
            9q2HVQodeW1yo1-iy7M9xJ6zHcfbYF2bWiEXmpvcSQDDW0JS-xF9tTK5q6mkvb3BbB1uMKjA15WgSxbhEsc5qK9mKztUlCH7E1hexMRfyS\
            KlhTy6Zp5sakmWnB0ruZOOMLCF8q-sTxKPoMgohdgWbvXEoysz2xfcbzJ-AJINjzkp462DPxwFRp4CRpzlSnSUjbjjCW2BCQWHL1atFAib\
            yFGltm3ColwQc5rAbzq7IZu3NnWvWx898FlKHs8cQbyAIqyGpVpITFHVtQ90xi4NeGFn4IUgdpO48JPkaJ0eU4X5uR7KBiDx2PpHQ3X88a\
            5ie5qDs-HOIu9yWt7p6rReKe7X7wEjNuVedjVSBXA6aJG-Dd7H7QQ-kjb8kbI-hZ_hTeb9OW5xLUqrdV3zZoGOgFSolBWWgac3oEWOnZTo\
            8_6RANrdq8biCrll9R__-5ClQXZ0h8InxnbJ9UOPglnUN3p8JdbdTcgEMmkoRqfIPbvWOTzF2BTaqtHdk91CB1E7A8hy-SoQCPILEIUviD\
            KViVlaxVYq7RIQuwjmWydpHOFummr2C0sZ1va54Jpb7OQ89AAytRDhiS_0k7y1mNzb1cRB0xHTSTW7lYKhQ6J1hOE2ODaYU6txq6jwv8BX\
            pn2zQA8paEYmZhH3tzn_WK-kWDUop7eo6lVaJQhnbF7ll1rckN-sf2KAZrxgIikikV8fuZyJvxRtfBRHFmPDoOOxddng8j5-vfPr6cSn1m\
            eN4hRKZNanpsMkMIjWmmXdNiUpA2ddsWlDeqC9mlBdiUogqiDJ6cOU3y5Pcost-re5gX7xPz3Nu9bqQ406LTnRjqMIsBQhEeRA2PoS7u2K\
            t5lk2nGzhDR2M7AENHI20RJHdiQcOwOSS9dtrA0v-SHVhrOj5HLjxE8Vx2lqgCZRSoNw2KMSYrl1HkyJGIseeRI3RAOOCXGo1Aup3RmxTt\
            S7_oJ1EG8iLW-8FZLV7gst2R4ETEk_-QRqbg-tzWQ928uh5gxvOY8RAzmcdMhpireczVEHM9j7nWmKhDvR7XwEerkVjxHFbsYiVzWImLtZ\
            rDWrlY6zkswz1tGB2FTW0IJTvAtpikmJcUw9vpAUNfaGu6oxJ43CXf-irgZ7aLQ31Z0j0rz_fMv8w5gTvpPS07NlNjne9qt_PFhnz72Yn-\
            IHDrA6Bo3AVZqfzdzuZkTN4Yro_JKPh51avF03wdgNWJgl7Oo9W_bDIOZT49MZKUBTV9-FHM0ckYMFPSU8tkAJff3o0ye0z3FanigvO6Mz\
            3l31V3-41AXhApaIYCkBEX9IEHspMiSRQLIrJhSSEzAEMd5Ii3p0qzaliRGigviIjmjWgMgcvKMpG5JQHOvqwgftUPShkz1utJNG82NtEU\
            mFLp_M2fdowPrSfH1v5teuaoWqaT0opgDSgM-GisMH3JjRrRGD4nZa1678hVIV4gVs9Yy8fggotCy8YsuAr_pDaoLYMtUuJiuRuhd8tzdy\
            pgG38PJZzau9JnLoj2Zs9U2qHnIGc1Z_fyIINX7g2h8aDf2-Pi1akTCwJZN-T3CykGG9s8h8fjVuvw9sHwMJNXBQRN8e7zDqBsujUqJre9\
            sPQ9rDi2fqC_iDVYiKdr5KwlMnw3TEnMuAhnnhjnCe089t7Q7IUUvHHWgab08eKzotu4lfOLpfEiiaslgYHNia-vkk41V1vBLsc5QT7XGl\
            fISzxBnbZiR3dOzt1V6YOX5xrYcB6HM0h4BEpxL5tVFWvbq2gZbgdDWihRJrpJfCHeHhw9d9hlsnUtKbA69KbZuV70mZ6Ib-nWPRoFZSyn\
            XakPGk3MeVHzfDYpVckw3iw8d4oa_94-dhiOj27TouYpe-E5AG6iPlk2JPp09rMScfdOps9M_DdPzOTStQ4cqSfBN7Dx8-x9UKJ_MzC_J0\
            4NO5P_PG9xI98yyGCAdmDkfuYy3kUprLzLU4uzzCqO1NWP1YU-caWOreXfc61Hw0N__uvbdi84xJPEbCfSR-wFZ3iSmOlX-mhdfIQn5Vzy\
            N7og8lZMOa9QBbZqGqrkJQcVltL0MKg_OD6VXPxfPctm7Fn0HUWcTAlLlV74fIYRU2JfVDOeuQdiM_6-mgZG-96yZWN2qgRX5JlQNYJx_H\
            s8WJjUDX35pgs4syM_6QYUTDy96H3-YjgU7zSz5aqpYOLQe1NpNMpzqdx7Yrw5f2I8maa_pirY6YvcfnCz2rnbV2o2FfMXRD05N3L8t9eW\
            JzAL3f4a7OhRN0qixbNokYuWzKKZPlkKRi8uCIczXXiP-HqqzuWAL3AVQF2UwmqUt-Lj5RczzRns5ReF5xVrefg4_WHF-KL02AmbZttM2u\
            ctm-ZaBT0fP2NLP1C1Gsu-FU3HPp65zOltmiQ223dzhn6OSy52xqPfe82clrn3ryddNOm0vsbb_-YOpveoCunYa9DD9Ey9dO_52qsD-tdL\
            0lzBmHnbV7HDUdTXvFApSDxoY9ifIfl_iBQNljW4geW5IjlEcq69eGLQbDQA749_w2aQXaTn13gNy7qUZVC8mrvEgXrFqpQplU1XuWcFve\
            doXO2xrkUxoQ4RB4lKC8S7iikeyGkDkF4QfCKWnvBhkz1PnesckA5PfU37-gfwHaW5e4Ac_A9UKhISizsAAA
            """)
}
