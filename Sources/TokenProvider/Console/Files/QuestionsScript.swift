// Made from Console/Web/questions.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let questionsScript = WebFile(
        name: "questions.js",
        content: """
            H4sIAAAAAAACA61YW3PbuBV-169A2MyWzMr0dtrpdORxM6kTz6bbJjtxun3QaByYhCTEFMElQDser_57v3MA8CI56UObh1gADs71w7nw9F\
            T8eyudcFslTKNa6UwrbHez087OhTN8UEq1M7WQlanVQkhs36qaDnVtG1W4OfZKVWirDW-rL00ldY3tusRRqyojy3w207vGtE48ihtZbtRc\
            lB3k4c5crHVdzsVG3yksdvIWh7Vx-L9plXMPc3EH5jeVEnuxbs1OJPlpIzcq_2yTs9ns9MUL8RF6_tqp9kE0spU75VQrzFooWWzFLbj_3g\
            pdeo1gmqjkjapy8eJ0BmVJqcLU1om3r6_EuXicCV53O9UuxDJxrW7evk7mIvmIX8lqjvOyhbJ8eqe2uqiUJ_jFLzxNV7u2s06V16WqiPzh\
            ergWt34ZX38dNsXdmM__h0t_e2qaLOCeTTTPr-CqIFna2-sb6YotE2P19rVlSvwEQKwib0M3cfMAl-120tLFPYLio6K-OCEtQLBVskRICl\
            mLrakoCAvAwKo__6lrK4oUReVfHy9P_gJWTlmOzbqrCwKIUHVhSlWmDvyyPj5O3Ohaws5zsczzvFb3LPANE7dplvtr_tYq38kmTYl5Js7_\
            Kq4Q1XqTE5wutrK9IEI-zPLPRtdpkmRnkAP8dW0tbpyRqZeW5a0Cvgv1qqrS5Hvyxkky3TylzethMz09__75KfaI5342k_ahLkRvnVV1mT\
            bSbecQBxBbvChdN93EVO9AS_CE--kFnvzcmjuNzZMP_layiPfFnnTXa5EyH_Hs_BxoLBXemSqzyGt5yOctEScryIgO92qc9Vq0yjb4oUAi\
            76V2Yq0AjqD8o8C725pyIZKf3199hBOCoDniXmyRO5LanFikGJWI_YgrBajnGEXktJsylUOMH2Mo_n71_l0O2FmV0hHF9gx5oSCUDlSPwL\
            uTulqITx9HKay296oFXO-12wrrpOuseP7Yi_Q7-_wTHCj2FCpC8dXW3APD8Tpiw2jl0J5xhrzpnAN78ME-nr2uaLuegtin1XRt2t3cX0Y-\
            srcUdISmneDa8zsXRJxzXrtSFVKtadPEHwLOlGJ_57NrkomXL5l68Kos2KmMtVQhtToGPkkRgtc50iv9fa3WsquCs0WQnpfaSuTcEkyQgZ\
            Q_41Dwr16Md0oMHyyKfCJFsdVVCSOJholzHxtxPoaleBkckXqiTCDnUBWAxTAQr-edcaIxlisB1ktPF0QJEbiG9SpbRS3Y1_EtXgRlUmSM\
            qFi-1hUKRvo3Yyol6yzo34Pqm3y-qWIyAl9plKWyFp2QrHpBX3H7WlZWTWKyNkVnvX_5iTM-ZFm-oTD-Q6NM1LCDd53cvEMhZCcnl-8__D\
            OBhxMPwgS-TYpKF7dQEjjxaSkCFOUyTUJtPyFeSeZLdL-rStpKGU-cvRKKNJx3GgjIF8NPf7eRli_md7LqFN3n_ErltwemBwwVbJ_pWrXu\
            rCqp-gQPhx2UGXEv2xo5nA7pJ52GLTqluNARbdNv5LX98Dis3tR4661iMaiLeq29nI0xLCjusaTWeDlBCV4HIdfIbMWtv5vMA1RIoggHJF\
            gsvaF5LzfkmtWoyCz5ciAMdiJmE4BdVko58abe4MmIe9OhlHpKJBxtc8Lcil6Ov-RtiToBnFuq7lukwHCXei0x4Tni5hu9wNNzIfo06aqE\
            sn1RSWsBJAov-Fok9XlUP-75qhtWHGbPotLEAvTcC9Jj5KAvA2X_qPGsraJQuAfoIBKRzAMHKlATNX7ttHKsQ2CSE0k273lxfxl1Qe4zeG\
            ZIxUlDYPZMm2OO_hrz9TTWcfS9-skFYgnSkRgRu9Ve1Fp_yfAvknzNAz02poZO5V1FIlLaW3QIrdnIdTUyAhUatiy4aNAk3Gy6FklLAWsH\
            qj2lwKVpj0QHBlN5GeOwq6oJdkp9N_GxbSrto4aa7tLkR24Zkh5IvoXI4vEFJoudHY4LXmcZJOApUVMx8w-cyPG2U6ddBX0-W1Mz_OgH50\
            TSjF4X_VlMlest3_4xLJlLRMksQd2cGOEhAjKJHrFUXxbiB7aIp5eUZVOun2bYMCYdZNiwO86w08RIdYEpaRGzqfew9llz71eFrCouzCWK\
            xo7K_UEjsaxRH8492WoRs1XgOKTKtW6t66Xy6kQfSLYKtINqfjmiiu0oBqwl6b0S330XGFNvisaYlF_2x8sfVivmBop41xtP1F8ZiBJiGj\
            QZcc393AJ2_myUcae1K7ieHsrwk9tNy8OCXj-kvhcgVXqX-x94v2n0OOtIuZNK7qNPo4vgGr8f3ILCsBDjWxQRf0k2-vpWPYRr_ZNOsHfC\
            VGMWj3t6AHvCGGCXxmH8AD1rVHoCiK8zy-SCBcPGSI-cqOtCN_K4NeOCJjvqap0uaORDDxG0-vT88QkOv_2GOok222D-kIJV3ot0RGpN1x\
            Zqn31iNqt50OongvVIJ_L1ZLq6Tjg9Ziv_5j04evK2q9ThvMOGI0nZbbpMPnTcmk0urLIjPpXGaKN33-b1yomdsdTixG8Zxwyy1XiQ9B1t\
            T4QImHvvYK7V1Jf5Sv8UySv_k6k-hD4IxXkwRUmkmmmtLg9qNanviyQbwuWZE8GcZ6nVqEYfZsPShSWR98kw4LIsw6EvDDyX0b9RYp5kvz\
            i3xLzn18eNZaDjzi_e6CeECbyLraw33DeHBjtuYDJaMlBOR1-7aPTRBuOfZysqtXYCPY_FsIdJb4PX76dEIq5pQF3rDYorhllNXyswPWpU\
            DvqYYXPqxNkKGoGo_8yOxgQGwSERC_tJ0ReMHmIRic-CFdEx2RRCASaBSDYoox4kHwI9fUPgKhgfKg8nkVvOX8x6J8CDbJ70k6qTD9xLTl\
            S4Vm1rWuvdma2OQB075-D2vFL1Bv4bqcRC0WdYlEVqDiPpoldxoHxnIlmkOhPIfZY_4RWqdWjOKQ9ZQRM9NEEMOWr5oEIWkef9XmC4Q-9y\
            PC_1o9BQb58aWQSVlCGMo1noW9HuefSzm1cpfhYotgatk8_F6fgjwP9ev4PZTHASC89WlyXP4oH_s6FaHd0JhebJK3zGc-OBKZTAJ4Z8tW\
            sZ5HGhH0t61rcCA5Ev32Mq5vzsWy3BUeORHUjkv28wCMDBHD7-7nRhqJGlrmdoSf6w8taOHGSfRhOjj2E4hBYxnzjgv14jN2Zn4y9QlIkw\
            kSLh0AdTWoESWTKGhV4GV8vRd-2D2Fzy9RidCfLO-h0fQDL2PyS0NqsfGAAA
            """)
}
