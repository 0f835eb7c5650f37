// Made from Console/Web/style.css: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let style = WebFile(
        name: "style.css",
        content: """
            H4sIAAAAAAACA7Ub2Y7juPF9voLZYIHuWcujy263GztIkGSxedgE2MnxsJgHSqIsbsuSI1F9bDD_nipeoi63e2aCQY-tUrFYrCrWRfrdW_\
            L3ihHxfGKkTWnJyFUQkiAmwZaEPgl31ytSA0J7oimvDgYnJjuCeIAUkygkscGjacoqQWiVEVE0DAYKKli7Jm_fvdk3dS3If98QktZl3Xht\
            WrAj25OSHwpBMtrc38E7zzvRA0B_n2_ybb5ToJQ2GYLyXD23XXUPz4zlfh4rUMkrHJXdZhnbKBDLJKGbdLe9vVUgwZ4EgIKbIA23CvSfjj\
            OEbcJNumUKppYBwDDebFM9tq56uOVEQby2zhHMtizLU_XmUNfIs59vk8gBWVQ_j9iNgj_SpgLQ7mYT-H4PMqh5mvuZZiKhSDSJwm3ALKRH\
            ZDuml9WyhrPWC0aL0OAQOUu2yTYagCMA090mM1xocIzMJVGeDMEblFq2vbnRWmpp1e5J-9wKdvQ6viIePZ1K5inIinzzgR1qRv75129W5O\
            c6qUUNsB9Z-cAETyn5G-sYvPljw2m5IkhMTqQFfayrek86Lr-gOTIk-AP5CR5h1Icf8Iv3Mzt0JW1W5CdWlUD-T3XV1iVtAffP7Ff6r458\
            ALpmkCWlpmhoxjtYQeCfnu7efHrz5g9HlnFKrk4Ny1nTekO7RYu9lvbcW7Zjv34eRAG900BtwcEuyMIbA9RmHASB1qZjyGEaxXFogMaUb3\
            bRraWpjRl0nuaRARpzphHNktxAreHu8iTMLdg1aT8L4jAeDjCGBUzTeGfeacve5tnmNnGBFj2M_MBOoq0795PbTeICDXq0AWv2zRtl4Xl-\
            S29dmEVOAhpYVhwrH67MsfPNJs3TaPQimnDk2Hp2Q8M8HL3YDIT6Ce3j7Yrs9wnL64bhN5oL1kgzSOonr-W_gcfcw_cmY40HIGlThTiWEq\
            dNm7oswVqyDPA8UZ_25CZEy4NJH1lyz4XUMBJiHs1-7VqBtul_K-kkdfYs6Rxpc-AgYCmshKb3h6buKpDhA22ulDVe3xmna6BIWELzGpUf\
            xKend8F6o9_i3rtW3AYrUoTwF63IaUU62Jg1_GX4lwEIF57zQ6c-WZm1TEy50muUT0BUUZFoJW9hgeK5BOuuIIDI9wNCSnya0JFX3iPPRG\
            FIFYFEwlVIOcFStkqEuI28gmFs2UOU0ju6CMf4oT-Hv9NAJkClno5-e-Kt_YAdFaVoMnM8R8n4EtpHPqMEtcekGqSiQWuskaPrPG9xF0d6\
            cFpnTEt7jU6rnzqnR14-G4r4zqrVsBWeY2uf12nXeg-85QlEdqRbd0L5IBhIwHvybMqvxrGM6jm0rRtHaqT-S8EhKlcfJfmMt6eSPit9k9\
            _x46luBK2ExFxL9zUVlQQrk1y3R1qWE-HPrVLZAo6pumMCHrwfBWQ5TOrBC9je6Z4ImmDkQEArx7x7S_4BWiF1TmpRwGDgmD3ABgcDhP9F\
            QSvCRUtgMRiL1LsG_29ZZp5PlFeCZSivFobJPGh94A-sUqIGnLysH73HhsL2p9XzI8wkQ0FXcdS6l_CM7wnHKCbU9lh3Vcs0gVPdcsFr2G\
            g0AZROyLF6iwRKJFYa6tHsTE8_Gx72RGlJ-oqSn8BzIBEOk4mrjf-t1PtjwQWT-0FuWGRbK-Wen85wVLJc9HtT-jov1pvsN4-D4T-BtQ98\
            Bby1A6ZuzbHFgaHYiHY9Y48-_EOyO2MWyLXaAZJ3yZdvtV8wmLghVICyGb5U6kPYcKUt5C_3z3cOBWdV4fwCMCFweYR0SNRHqaXBpkOD1o\
            YPE7_P-MNwF-UlkyLCT21GSiuEUMisKw8UdoS1o0xYg-AD4vjaJyqfakxkYzdM3tCjcgfGmGTgQfN5Mi442MX-0KZ8QjtRD12-uwsNzQn3\
            51g1W9ud2TAzjgdqCh0V5ixbOtr-BSvB0lveLtr2YFqY7mrrPzyuSIwO9NqZkh8Pw5UlZZ3eO5vRiHsSktT4sVd71Gix71vlk4oq5aPUQA\
            jzEjCIXTkvautzgITRlspFYKShZWOxJUcXlmcVjWq2upp13lr6GUvrhqqdo-aZjdZnnI3laV_gaqbhwqY3kwltjB1TWoyDNsZ5VmMlOPAv\
            sWPcLJ5yiUoDQPQIkcLZdYO00AjEAI2viI0jw8HvW5biGp30S42Owhmsfc4bSL3SgpfZZISyJI35vmA000J-tddJaMuUtLUQYser6ymt5z\
            N8gu_9E3jHVrYRDg3PVP9gjS5T5YQvedNFNzoJCeqterqe2PP8DkOWhuJASK9nPRCBYInHE0ZurB27I9bHDTsxKq5Q8V7OS8iFYQZwMlfo\
            XdCxrUgUAYnrFQny5lo7mYJCmdx-rVnFzKTxzncnHSmyFbTRKRp8Te_fv_0Oqp9fwG2w77HH07UfETQxJVepH2QvCGyetEB5BZ-PoAypZS\
            r3b9coRcum0XCtvJJ78ZJ9th1sFpXGYkkvv-xmE9XbWwW-LG0eueit6pYshI8FTzg1YWwGXFsJw_rbh8MgAIejdE4_q2DQO2w5eI3l-NQv\
            InRhelu_uzyssUyfkkHoAhlb1w_IQP0-pQLABSKm3Dc0uiOY1PNXyXtklIrCsYlY127mWkvTfL2PH7q2RqnKOvkR-ZGGTTZV2Ng_1bDroP\
            xZW96o1Oiz7M5wJ63HcPfZFmTXikY0S-01hmSooS3NEnu1PbWiqaultM1tEexmXIGxoZkWQahbBOucpqK92GxtktBHbE0hO1MRv6YK1tSy\
            aZq5NWlmWrD0fiHOzAWErxV9wnAUfQZBxK5As3cuJVnYntg-4_kz8AQQ7HlJT-0lTDwyVRo4SZoz1WkS0nZ9RPt3AcUhezrxBmJzBbmmil\
            8w5bEFJSyE63kZaZH4IAuQgfMY4WMQGQmPs6iF9Q7qaN_xE0qiy1WmYX6SIbrj_SHuOilpdf9ShRD2bPeD15gHq-obc3W5GjAYNMu7RSvl\
            bdthR6aqxdUeJCmer6dZ8yjflrB44DJfFEUDruR8WWcqUbPZdsuNsDPOd65W7RloIBFXWxbSxUkDpMfro7WLqH2sg2aisYulnKdz5uGUvV\
            sMRErAQ9O-wJZxP9syE8hbEo5wNRk1GkRK3hEvuOtfNCiW0HbdsTwowPmYqgC_n3GyGW90yUPUDGZ747BzjuRlj3G-1OldyanUx0N9y6hh\
            IDEoIwcZnemImXaKDAa-sam0a1r0_1Crt21BeaMaTl1agDEoqidaec_OnCZOzjflZGtPt6suNnDz3BusrpmdaXEnTyxsGLCAUIBnDsMTh4\
            ubs2qeddPpWh1D-T3bj4s9BbZdIwkq6Il5DcM-gPRKaQNL_0t2YAPKJT9yMUMaD-IWSStQRmGOpkFhhiQeEq2YIxeT0Q1JhQ4IB_xaoylI\
            rzF6k6KV6Rf9JMpMXsV6Pzir5xZtq-sJp_1I6YXnu_Iy59IHdTPUzavrAWa4jBkOMaNlzGiIGS9jxkPMzTLmRmOiDvV6XDMfrUZihUtYoY\
            sVLWFFLla8hBW7WJslLMM9bZjq6NWYuAqw1bU2hJIdYHNMsp6-htEI4_TmkvJoN20596WXpjsqisZ9091cTfTCfnKor0uasPJ8F_XrdI7d\
            SR9o2bGFrPt8n7NdTD_V289OMgeBWR8JBOO6OFa5o53NCdqzIVsfnFAIB6p7h-e7Ok6rHrNezpPVv2w7DWU-PUOQlAU1ndlRaNLJFjBT0l\
            PLZJyX3-5GWSWmmopUccEJzpku4xdVYvNGIK8MFDRDAcjADPrAI7pJViqKFRGZm-7qRMFQBznifZrSrBpWpAbKKwOi-U40hsBlebDI3FoA\
            Z19XEODqR6WMBeudSSRvtjaRFJh56exvPjsZH2NODjLnt-mZw0uZfkorgjWgMOCjscKcy4HUiMbwOSmp1HtHrgrxArHOjLV8DK48KLRszI\
            Kr8E9qg9oSzCJFLpa7EXq3vHTKDtv4hxrydLl3pc9cEScynKny_JnWfrxk97K1zSv3zsh40Jd2PXh16sSKQHIOZcBKisEGv5njxHHzbXge\
            PTze4lUBUVXcfd6RhM3HRsXirheWvpkThtYP9FdzBguZ6sNdS2D4bpiSmHERzjwhzuPbeexNksUrCngHqQNN6QOnF0W3dSvjV0vjVRJXSw\
            IDWxJfX0ydaq62gl2Oc6Z4rlmqkNd4pjZtzo1uIZy7vdAHr5mLQcN5HM4g4REoxUQ2SirWtlfB2t8NhrRQw0x0E82FeHuU8NLxh0nntaTA\
            6tCbZue6k2d6HnNLt-7RKChjOe1KffRkYs6r2qmLSanKlvGu2blztfBLO5u-Pz7MS4uap-yVnWHcRH2ybEj06exnJeLuLb05M5m_i2Aml6\
            514EhnEnwDGz8v3hAk-hb58p44NexM_vOyxY18yyCDAdqekfuZ61kXpbDydkctzjKrOFKXAeILfWKsDjLl30utRcNDfyI4t-1ecawjidlO\
            4xyxV5zqSGKmHzlH6-JDHSnnkn-nC6LZiinnFarAVk1DlbymSW4pTY8H-qPEU8nF_9WzbMeeRd9aw8mUsFTphc9nGDEl9kU145mbATbj76\
            tpYLTvHVs2FqeKcEUzE6rGMY5_n0NWOqkb-vJNF3BmR37SHSqYeHr19_xVYSjeaWbLVVPBhP7s3ZXRqJlrxrNniNvzZ4iTafqLi4Kdvsp5\
            uJvVLt3HUbOpmL8i6sm5ozF_n2l9ArPQ_bHBjh61qyRauIgWuGjRIppppKVg9OKCcLjQrJ8RX0_VOS7-CofD6uoMVqO8FR8vv6pnzv8uvz\
            q6rFjLw8fpVfvx1dmxEzbNtoW0b7ZsWmoV9Hz8gp1_T9VqLPteNB37eOZ632zTJLLZvpsz9HNcctUvHP0CaOE0zL2RO-miKafl3tuEiZSE\
            9a9RpLGBKfK2r0GHo-hc60ElEOGgCWF_VjL_w5JgyJR7o2bmytunuR8_NSzrUpZBZWiubnrqFatSpuQxZSJhBX3gqLn2WNeimFAHd45EpX\
            rxaliKh2JautLFgMPBug4-bCY1U0Q6p4vDI1PTG_4RNmZpDpWRg_8BLootRfo4AAA
            """)
}
