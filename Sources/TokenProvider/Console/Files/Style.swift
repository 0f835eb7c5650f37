// Made from Console/Web/style.css: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let style = WebFile(
        name: "style.css",
        content: """
            H4sIAAAAAAACA7Uba4_bNvJ7fgWvRYHdxHL0sL1eBw3u0Lui96F3QHMvoMgHWqIsdmXJJ1H7aJH_fjN8iZIorzfNIXDWGg2Hw5nhvEi_fU\
            3-XjEink6MtCktGbmKYhKtSLQhcUji7fWC1IDQnmjKq4PBWZEtQTxAWpEkJiuDR9OUVYLQKiOiaBgMFFSwdklev321a-pakN9eEZLWZd0E\
            bVqwI9uRkh8KQTLa3L2Dd0FwogeAfp2v802-VaCUNhmC8lw9t111B8-M5WG-UqCSVzgqu80ytlYglklCN-l2c3urQII9CgBFN1EabxTovx\
            1nCFvH63TDFEwtA4Dxar1J9di66uGWEwUJ2jpHMNuwLE_Vm0NdI89hvtknDsiihnnCbhT8gTYVgLY36ygMe5BBzdM8zDQTe4pE90m8iZiF\
            9Ihsy_SyWtZw1gbRaBEaHCNn-81-kwzACYDpdp0ZLjR4hcztk3w_BK9Ratnm5kZrqaVVuyPtUyvYMej4ggT0dCpZoCAL8tUHdqgZ-edfv1\
            qQn-p9LWqA_cDKeyZ4SsnfWMfgzZ8aTssFQWJyIi3oY13VO9Jx-QXNkSHB78mP8AijPnyPX4Kf2KErabMgP7KqBPLf1VVbl7QF3D-zX-i_\
            OvIB6JpBlpSaoqEZ72AFUXh6fPfq06tXfzyyjFNydWpYzpo2GNotWuy1tOfesh37DfMoieg7DdQWHG2jLL4xQG3GURRpbTqGHKfJahUboD\
            Hlm21ya2lqYwadp3ligMacaUKzfW6g1nC3-T7OLdg16TCLVvFqOMAYFjBNV1vzTlv2Js_Wt3sXaNHjJIzsJNq683B_u967QIOerMGaQ_NG\
            WXie39JbF2aR9xGNLCuOlQ9X5tj5ep3maTJ6kUw4cmw9u6FxHo9erAdC_YT28XpBdrs9y-uG4TeaC9ZIM9jXj0HLfwWPuYPvTcaaAEDSpg\
            pxLCVOmzZ1WYK1ZBngBaI-7chNjJYHkz6w_R0XUsNIiAU0-6VrBdpm-I2ks6-zJ0nnSJsDBwFLYe1pendo6q4CGd7T5kpZ4_U743QNFAlL\
            aF6j8qPV6fFttFzrt7j3rhW30YIUMXySBTktSAcbs4ZPhp8MQLjwnB869ZeVWcvElCu9RvkERBUViVbyFhYonkqw7goCiHw_IKTEpwkdeR\
            U88EwUhlQRSSRchZQTLGWjRIjbKCgYxpYdRCm9o4t4jB-HPvytBjIBKg109NuRYBlG7KgoJZOZVz5KxpfQPvIZJag9JtUgFQ1aY40cXed5\
            i7s40YPTOmNa2kt0Wv3UOT3y8slQxHdWrYat-Bxbu7xOuza45y3fQ2RHunUnlA-CgQS8J8-m_Gocy6ieQ9u6caRG6j8XHKJy9VGSz3h7Ku\
            mT0jf5Az-e6kbQSkjMpXRfU1FJsDLJZXukZTkRvm-VyhZwTNUd9-DB-1FAlsOkAbyA7Z3uiKB7jBwIaOWYt6_JP0ArpM5JLQoYDByze9jg\
            YIDwvyhoRbhoCSwGY5F61-D_LcvM84nySrAM5dXCMJkHLQ_8nlVK1ICTl_VD8NBQ2P60enqAmWQo6CqOWg_2POM7wjGKCbU9ll3VMk3gVL\
            dc8Bo2Gt0DSifkWL1FIiUSKw31aHZmoJ8NDzuitCR9RclP4DmQCIfJxNU6_Ebq_aHggsn9IDcssq2VcsdPZzgqWS76vSl9XbDSm-zXgIPh\
            P4K1D3wFvLUDpm7NscWBodiIdu2xxxD-IdmtMQvkWu0AybvkK7TaLxhM3BAqQNkMXyr1IWy40hbyl7undw4FZ1WxfwGYELg8Qjok6qPU0m\
            DToUFrw4eJ32f8friL8pJJEeFfbUZKK4RQyKyrABR2hLWjTFiD4APihNonKp9qTGRtN0ze0KNyB8aYZOBB83k0LjjarsKhTYWEdqIeunx3\
            FxqaE-7PsWq2tjuzYWYcD9QUOir4LFs62v4FK8HSW97O2vZgWpjuahPePyzICh3otTMlPx6GK9uXdXrnbEYj7klIUuPHXu1Bo63C0CqfVF\
            QpH6UGQvBLwCB2pV_U1ucACaMtlYvASEPLxmJLjs4szyoa1Wx15XXeWvoZS-uGqp2j5vFG6zPOxvK0K3A103Bh05vJhDbGjinNxkEb4wKr\
            sRIc-O-xY9wsgXKJSgNA9AiRwtl1g7TQCMQAja9YGUeGg9-3LMU1OumXGp3EHqxdzhtIvdKCl9lkhLIkjfm-YDTTQn6x19nTlilpayGsHK\
            -up7Sez_AJvvc78I6tbCMcGp6p_sESXabKCZ_zprNudBIS1Fv1dD2xZ_8OQ5aG4kBIr2c9EIFgiccTRm6sHbsj1scNOzEqrlDxQc5LyIVh\
            BnAyV-hd0LEtSJIAiesFifLmWjuZgkKZ3H6pWYVn0tU2dCcdKbIVtNEpGnxN796_fgPVz8_gNti32OPp2o8ImpiSq9QPshcENk9aoLyAvw\
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
            mFLp_M2fdowPrSfH1v5teuaoWqaT0opgDSgM-NNYYfqSGzWiMXxOylr13pGrQrxArJ6xlo_BBReFlo1ZcBX-SW1QWwZbpMTFcjdC75bn7l\
            TANv4eSji1d6XPXBDtzZ6ptEPPQc5qzu7lQQav3BtC40G_t8fFq1MnFgSybsjvF1IMNrZ5Do_Hrdbh7YPhYSavCgia4t3nHUDZdGtUTG57\
            Yel7WHFs_UB_EWuwEE_XyFlLZPhumJKYcRHOPDHOE9p57L2h2QspeOOsA03p48VnRbdxK-cXS-NFEldLAgObE19fJZ1qrraCXY5zgnyuNa\
            6Ql3iCOm3Fju6cnLur0gcvzzWw4TwOZ5DwCJTiXjarKta2V9Ey3A6GtFCiTHST-EK8PTh67rDLZOtaUmB16E2zc73oMz0R39KtezQKylhO\
            u1IfNJqY86Lm-WxSqpJhvFl47hQ1_r197DAcH92mRc1T9sJzANxEfbJsSPTp7Gcl4u6dTJ-Z-G-emMmlax04Uk-Cb2Dj59n7oET_ZmB-T5\
            wadib_ed7iRr5lkMEA7cDI_cxlvItSWHmXpxZnmVUcqasfqwt94kodW8vPc61Hw0N__uvbdi84xJPEbCfSR-wFZ3iSmOlX-mhdfIQn5Vzy\
            NyVfEPnwphe9t3zKeYX6sCXUUD8vObWwlKYnQ_0p8qnk4v_qZjYTN6Pm1NeSfcmVvNKDadGbSRI2Pm3Cq4_IttKBqujw-cySTOV-USl65n\
            qJLST6Ih2W3LesLRuzUyUoG8-Eqr-M49_jecWkHOmrQl0Xmo3-Sfe1YOLp_fHz982XpSl83MIoDr0XoEajPHfVvQfRm_MH0ZNp-tuvgp2-\
            yKUKN1meu9SlZlOpBOxZ-eRc9PFfiluewCx0V23gKEZNLokWz6JFLloyi2babykYvbggys409z3i66k6dw6-wA0Ddf8Ki1zeio-X3_c0R7\
            uX3z-eV6zl4eP09xrj-9dj3256eDPZpLcam-tA9Hz8jCcFgfJ1LPtWNB37eOaOqLcXk9giwk1F-jkuuS8aj35GNnMI517rnjTnpNP6Gn9U\
            YK52ek_AkI69XT3M-tRL9_qwvZGgfxQlzRWMmbd9cTwcRX09EZXZxIPuiP11k__3TdFgWYOLXZ6bl0Mk5zaNJwbNRgPw_vgZ9pjsIj0_8m\
            tY1qUsg5rYXFEO1CtWpUypbLrKPSvoPUfjao91LYoJdYg4SFRaIF6BTPGcTxuA9ILgE7Gi1enMqDdkN6Vz7jo8TDZd8R_Ad5TmSgNy8D9G\
            pzJH4jsAAA
            """)
}
