// Made from Console/Web/console.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let consoleScript = WebFile(
        name: "console.js",
        content: """
            H4sIAAAAAAACA41a3XLbxhW-11OsMZ4WSCBIdts0I1fRJLLceuLYHsmZXHBYEQKWJCwQiwCgZI3Cmb5DH6b3fZQ-Sb9zzi6woCjHuhCB_T\
            l7_v8WBwfqw1KrzFStKfWRqk1ZtqrDUJ7qlan-2Kp5sVg3ulVplat2aW55epXs7RWr2jSdulenyxS_GzVvzEoFyUFG723ysQ1e9Iv2FABU\
            Zl1lOlZXab6gn7tOt7HKSpNd48es6jTrYpU36S3-r5u0K0wVA4Eqj9WiuNF4WaXX2FmZDv8JG_wvFhi_KdriqtTx3oBGnS70GAl1-o_vzz\
            9cxOrDux_P3uIXRxCcTn7WK8BJy7X2aLHUb8F5_RKbs6UxrX5V6DJvvR2_rnVLiNs9e8TbTv3y-u3Ld7-oY_XsL-or9c0h_l7Yqffv3rzB\
            xHNv6PTn87MLjBHbiL6iWhyp4HSps2sWTtboXFddkZYil78bsyg1hNXoNFseqWZdqc5c62q_bsxNketG5SbrTJOoc12XaaZVqq71HYClHa\
            YgXrCUj0qCmGS1zosOR75qtFYt5AL-mAai-MTn17pZFW1LVCoz5yHeoUqzSNQHOhmINVqkptJFWuB_q1pj-Bcrs7RSV1rdNkXXaXtqppuu\
            mBcZxNHi8NdgRVqWQBVSKXJ_mrSmAAdwbLc0gHFH6DX6xmSsNaosWqgSEKswWpo0lxOA9Fo3BPwnKBJEDhyZB4PKCw-1WEHBbAZ0x8eE7Q\
            Vkqja9a9Ut7Z2nRantAa1ubkRaHwaIBSjvTF1jIlEXGgIT7HGGgfwMTiLk6xK0EZiN04MPZ-c_OT3wqAf0C5yDTd4gH2-ytr6EvtbYTsve\
            nV68V-5deMwnX_Z8I73aYiWvG3h5SbzEsvMxd0VP6uISeoTZ79-_Jo2S0SzTbXvJGkhT_CoK6VMnfgLkiVkmq7QOQx6M1PF3KrxXSZLwO9\
            m3vj1Slb4VbxOSUwiDujRdG0Sxsrs2UeSAX2MBwSaHEQbrMohht1mZtiT8q7RpA6x-sTeCk6R1DemEsicvbkabsrTJ5SBsJTJl2VKn0Ata\
            uYnd0J_sa2BN4eqO8QncAlhUNYL967rQsL8V1N0CDxRMBs5iVVRrmEMQRSCTiSIa9-bwpCwKcoLMkjbM0y6NRFeYBZW5BQNoNKHHr9QzuB\
            iCrRSO7TDHni9p01VdwselXbj_DMDd_q5YaSwKZZ5lQnD2VcheMiQgoJGWBRGGZVRW9-MMbw7jDD2hk9MQ6Qu-7kRYT6FJajyZyGvIINyS\
            2hQVK80Y9xa2o8NnkSiRwwHs0p8YcTnFAbnSwEhvA5nw8umL0dJW45c16ae0WwL8p_AwOTx8FjsubNHb80HOGPigDpj_kQPf6G7dVNABmj\
            _i_47TNgxBMd5dfdRZl8hrKPywNEpkYuLksT_RYmTPoT9LBJDYyPGbEU_LYlV0Pdfl7cR_s6oFA1yXpd3Js2SWybrGtA5FMrHDGc6gxzhW\
            E9EcCYMUwG-nsT335ITBMkabXvky5AosZ9ZfVnyhmx6Z6sk1JwYI2-FkRs_J03v62cwINOvmWLyH02jqqffKsA30YoVIyd_wuXLUJBY0pn\
            weP4o-k9ExIq1dgd9wWOS2C4IeCLH-shD3wHwcO4SN2HjSSJT-vizD4BITgQrI_h_xHtV6dYWoJlpD_kPOtAqQdOYNHHepL7oGESgM4IUJ\
            WNek2XXIK6GbxA2cQ34GJG5c3sKL2AlA3lqwY1IoSwMqN4sRJrw8EHf9g_mEkUN1SHqvvuXIUCMWUeT6vq2hI-cUTQh_U2kiMm2KdH9Z5A\
            i6AQMTarBPTmuwxz9O-Htb5B1ynl6OjKn6DueeqGfQ2cPYzhVVCExiRucrxcuID0tdLJYIcN9K-Ng7OFAX0Js1ZNohz5EMq9HzdYt0K9ly\
            vbLygeullAC8duqbUebWJvOiBESKcXgVdaGnhFZTJvLk-HgwBQF0mzaVzr8QDi2mU3fAKfWNLgHGIpaUulp0S8slxMM8AKfksK05GqTJYG\
            FMHniYmYbd4r2iiSM1QYKQ5nckxzOkJneCk6ohKfjnADZJkPp1JDcckiqLNO270FrSWyYTXro0t7STFRk40ua3yFMbe9Ds6b2jx-YOY35U\
            6UpHyUf4pZDAR5sjeMIdR8ymyN8nzKKpx7LHY6TFaGcU4SXPI3JrBGGA97uRZHc8_VwcccqWsaecMFaT4Oealw41VNjnAPuiR0C46XQeWd\
            ZOXJ6CvN6iGcSWfqiSpRO68L9__ZtUwZZqIZVPIXymlFNRj6p1vi7obJ_SFqgCWQqMR9DXfmM-ZJSG5-DE12o0DjvuaHyAe8orJcFsRS8e\
            h3iJXJeCEgBsKMd6es916K6VPEHrZnwU6wbqqPUKIBKUBSUJH4exKSC8bNR__7NVd804_eEkE0ZBFRPSzE5_6k4NqKhIwWzpKkKyi4YoI3\
            sR5FZpc0epruhpLPY3dXFn4gWTrcR1RitBJu_bzCg8UKEX8nsfVNymhvsAQct-jWOJDTpdY9hKXeBSypEdfT6tZSCy9tmU0lgf1XFezpqM\
            kSLvX2gzP9mYSjbtB1OLd49n3tlXNn6Hqp3Ld4VNKgTwRwKWZJVPgyafQQk4CSB5TUfZpBWpoBjBLxdl3ujKZpAJadEpjW2Jmt5e2OTLk6\
            44IxKu5-WdZH3Hv-Xl_NTZJhvE5ymncrsCC2x4ws4-Jvay5wymZNA7wwevZvfv2Bg4Z83vtHMiYQHwzHUw9ZNKOOkWQXIblZOT8WmyxSbD\
            fn40qrs8RfxcveW5fdtlCge2RL02ONQGOvkH1HC_IpR50FQHvW7Xjyj2o9YBbp2CYCwGDG7oTAb0psSHPt416-rKmOsksPnpZpSCXcFbzT\
            kFsw6VtcK5djeYtHWJRJ0SRVsMIdN57qIfRreLxg-U2zxIXCTjQSyBW2fN44Fp0hoU3SHytFhxu4KRwGviotq-jLt3LzzRYRUrPyANuD17\
            PgphDXaP8_Fvv_kzZWtAhCGI8hMQPpse-sOiwcvyKfvUIHzgaAWBPrsRqPb1hKUGX-6PbqhOfXrv79uZTMOpQsxebtRQm_RY7cLbt9miPd\
            eVvuX8jukhZWW1DPwWSuCblSwZka_-djxK454McP_wh62V6q9IfZmzo9wuGJkhN15oX2xTbI51R9KOmvSYshL3bwj7eo40eidm-lNdNJqx\
            Y3UOeyMZyVE6u0ceY7C3sY_pujMrKD24X94J1lLOPvCnLDAyO5KD8B9PEifxIKGbZ9kY5Ymwp1AmXpd3Wt0ggRxaDZnsdFFXZVpdszug_H\
            RJTpS7ikJ2Sw1AEChlek5mro6E3w_wG1eID6vDL-sfqW0qwVVLAKt5DK1241Z5e0d31dCzdYSWQ4PrlKKRxp2ID3rjlbO4QnwUUeKyGgLv\
            sAWSFoeNgR5Rq1hOPNSB6J-jyPMf1GxwRZL0eKkt6ToGeLIdAxqT-Zj3JOlC-3EApahtNtNsYMU0Y_Bz3XGaiYSRVdjtRxqZLsyszx88Rb\
            TtZmIorXbKNaA2cchwirFLA0QQssyxldqDn8m1ZkfstD51m1lfzY9c_7ktZh94f-u3eufvqt4pnigz1eE2hbyCsnExti80n_px64EP4hsU\
            1IWtstC3KwbPgizALkUGPTKRLK2J3tFB6wrlXyUnvaFLhq6v62PqLdPAvGjaLthKHDtKOkbgO5eBoKqRYis4NTn_vjINv6brlt_PhaBgKi\
            Jne-oF7RKrbsmYtpmpKWXIjNixGF-0jc6V4fr3fhM_6kIcgr0t2eHHUuCeMKHmnmxJS2uSuu4vqdQTr7LStpWM-GpeX7yzkTBSG7_lyLd6\
            D3YMlDyGUNpgj4dPJly1pCb0OnTCutybatfceIQV987Lw8dNU3FHIMmX_G7VwgXvYzhvfC8pKeMOzPwlrAeXRe5wiN1ZEf9Nd5jqqQ0bQx\
            3v2ysUZs2JAt2j2gwbTxo8bPCLFzKXS2q_b5x7lOuwx7sHrwq2JCk7_NMv50W57SwrqMe8TBfSJNPVTYE8mMpjis-PgOjL9nPGxBbsPSEb\
            lNiUZkpvhwja2Bu2Wb_zR77c4U5i7nCVFvHQ7NnZQ1W__WbbjVNX0Pt1WB-jyZ8xY5xD2y5BH3rs3ylEB8-dj1WD4EQumnnI3KZFR6UWlf\
            w7BBor54CJiYSxn-1u9QVkv3PISAqfPNgM3WzuLnSp6Zo4DBLKJSOqjJAihFIzOl_FN6ApO0_a7u4_-Wa0RqAozHrId-TCEAkQGAh6k8Cp\
            p7tOiG3m2VPWp-T2bKlA-diWGndptUBKRezhe6XU7T0KRgxy8EnOrmP6gzGlTqsHvEZA3icx9SW4vdccF-FucEBwPLzbvQdmCETcYzpijS\
            D34jo_1stTASq683BL0MdHe9Eq9-u-xvp3G3RtLnHcv415_fICBAZsNxyjcl0W1Ku93DE0L7XuLhtXbQej923L4dvNyLdExzlgsnVv8xiJ\
            nAV-7gJEfc2qEnrmjrygXOe6tdBPiE9glgrNfB4NdxkHB-q9KblRvLeXtndVpnovS5-8hL5T3dn3JTLfYCL0b0PlEQnlBWxG5x7_3ZU74K\
            SiqZQ8kjrM7Lc2B0zFRwSNp_d84omanaRzaOnx0_sd_WCbpm9mHKmoPckXJ_stHR3YGqiYq_CJOzsx1xFyJoQejuBnZHXhTBp7lP-7ZTKC\
            XHFAn3DrUe8XErJhf47fSOaWkWWYbS1PRvyLx7PTId5M41FLuvfKvNziQT_DIHKj9aqikGV1m768OZOmbmhjDq8YDNLv3U28gan1BD6qO0\
            Qvty2PC5486u7L4O-O7YTgtW5QzHbi8YY-v1yKbl-UCyjqQAh_BJtoC7l63S5DywdkL9TXdTjcK4cfivKGvmoSag_sN1-CzPB9V0MfBfEl\
            rv2mp2gUdW6Mzb3vVF7M57pBmDfrxZJ655zaWSdMWA2fHkgy_fgXBqypdhVi8g4mPbgIkdUj3nJOuYsjPqRtxtb2A4TJcH8XDx2x2PuiIh\
            5VS_HDhAzxn6BJXsaeZsu5UDvFOhemWFAt2vcp1zUUifsLBbn4dB9EdM1d_9GC2KE4Kvf5AHnpsG--vsFb0M_RUXLSMm1fcXSO-s_vQv_L\
            pLRqb-nmmL_QSgYIW7v54rBstf14AP4H3kyFHMijHk1BybaX3xoLfIzWky_Dq_8kTWB8FjPS7dERghf0E2sBGKL-cFfrM0GWWH7wT-sFDx\
            IqAmV9skL6SeV85D6HTHjcUmlJt98otLqjss-su5BEHPNHfH7TlnhBPVuv_cyOYwiZJYtM5vps7UHPesp9W_lIiQvKKEnz_AyJY_emaJHq\
            wTMFWVnwrXvYdxi39OxYbWne0C91UMet0q39J1TFtlBTjq48yB1DlvjDtcN1cbwDkjzxGqe2FL32RMvFYl7s-V9X0vv_ASb4eOGqKgAA
            """)
}
