// Made from Console/Web/figures.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let figuresScript = WebFile(
        name: "figures.js",
        content: """
            H4sIAAAAAAACA41YbW_TSBD-3l-xZ8HJLsFN0R06WgqqEBzo4EAtiA9RVDbOujHY3uBdk0ZV_vs9M7sbO2na3qc6s7Mzz7zsvPTgQLwpLt\
            tGGaF_qUbYolJHYjGTVtiZElOpKl2LmTTCqNoKo0Uum4GQ9ZTPs5lsrMEn-GWD37LM2lJaNRV5oytR2HRvr6jmurHiWkyWVpmByHQ1l5kV\
            K8cTpQdzeanS7yY63ttTV8yc6dpY8fnjP6__PRcnYhRlMpupaTQQUVXUkB-Nj_cc05vTd--_nL0mtlotxLmy8WhPiMgUl3VRX160tfwli1\
            JOSkXXZTst7DYRuEvVXEBF9mP7zGp9Ucl6eQF1tcpsAa0sqDYL3JETOEPXhG1vnMCCg_198Rm-KSXAOaYBO2teyoz8nMMtBhaWbVWbzpdG\
            VvPSndPPRQGxi1TsH2z6xFi4F7ZeIzhWHom6LctBkHYkrleDIOlIjMYD4m_gr8BYmE-yNfQ7l6VRA4rtG1i7pojVdhQapzBO07SWlTKJOH\
            kh4onKdYP7MrdkoFFgnroz01Yxc65PHXMiDgJfCF6pfqmShBP_DsFM-iXLVsVeFDMebyJkBpLiLPdMDIUJI3Za6p00otPxWLx8KYYBx2Wj\
            F3YWgNzADUkfpJ2llbyKh4MdgMRjTwzombqNE44JKswuHXyQNmraZiqOrbay7NnCv8Ujj3Un0IEYJsGkeaORwZUhjTLL1NxydPA0Pk6-I4\
            _TH2pp4g3PJGlelJAXd-Ggj5RzyHwtoDXyYtMoEb__Lrzg2LGVBXD_lST9Z1AVZVn4qCOp7ayoUV-KbIYsL1BWZlQ3fM436merDB7HAgXH\
            PR01PQ63pJi02Q_FlWnJ5YYqQTPXXHD4peRtzQ9U_GxlbZHVMctPxDXMbpRtm3pXgtGp8DGa6JaQnriHltIjS6ct3gDEXrjD4x57Booldn\
            cET9aZtPG7Oi_qwi4TpMw8ji_w8Oqpulo_j9G3IDN9cM1Hq2_j7WgmfUWoUNDi1G2nCFM3coQpLhtIRJEjB0jAyQlowRNUEdx5Ca9OVKkX\
            UDF0JCAQMdEZHdP95_Nga6nqSzsL5Ecn4jDxrnQanUQPxoyYbSxenPig75NN3Y1gqEPhtRJegXcqjrxSJwXP7XB8vL4YIuvUxX3OMVhBTq\
            At7qkFldFRSdqAR4TD4XAYhK_8X2_LySa343I8HoT3DXLg8WFfGMrqaq9L0FlhzwnOdjaSN5wfRmChKlGWY-qAnDWhDY5vPvyN816b3OZk\
            zB7rOiXgYkoGeBlw4SFSDeyS8gOoHaDFTJdcZbnSUSs5vSpcxXefkOJ7u2NJII_LZkM-8bTU6vca_Vad2wbtOY5UHXU1SzUZzRlBCQv_9u\
            B6U-xKPPy23aRevT09-8yjAsxzKWULW2KYic58VYFXWrxJUKDGNyLQJCJGxFNfb7oqNFkKHEE35gCWaFRTUF-NXacKmftZ_1DUe6lRUpd0\
            YwticqZy12vDSajJcZzpqbPutzC_pOjEjpwkAy85dOY77u-8Lj6iRjb-XhQqaeTlrvjvanDDU86Qe_z0FZIVCg2xUrwVj3F3eyh6Q5MeT4\
            yUoFFA5tMVgKNzjGtwPglfHxumXTCtx4O4_K31ZXmDscG0alW5vN9QjLkwwfeYzuB-s-qZvEbPMx2NsdSxZMgUkkQPZi0tL7WG94fpn7u9\
            IqK3ssy5hbneBkPWHQu3yNZnz8TDWzmePUtuN-4VOZWfcGfYQ26xIbzBLhdvN77XSk3h21oLcqZEfaDp1-o514QB9YNK4pJ_orcZdiPQod\
            DdgXdjrvaA9Rx1oUPa4yFvcywKY1WtGsOtSs7npvP8YQ8wly0HtywqEh5TU2fE3N2Zyp07qBjcNOwj8By5cRVp20N8VyA-fdmKAPYEmsuw\
            Bhjd9Mz7An28CJgljIID9aWiF7zboo0Q3GnTWpehYe2WE-pRt4UTJvBOiEDeN_Gj-czbm_2mm_lZ0e3e-oDH2yw7h2EnLaYws-emM08SFf\
            OGsdFtqT1fPRXPn4sn8NhEGoh-0rnOraD3O84p2JEHAcI6FxznXWnAXQCr1WZdRX9urdowjpsFp0HOdX-jE8HQohFU4HeW2sYpOWdiHKCM\
            e4N4rlto1ShXOcutLUvbWjjdPkqDgaYENOtU3Jyvt9T1x5a8aAxGTyqVbnDhOdrvpKOhW0k7ip-UeCxxEnKaFnCTBWGm6JqeG3EbmiJ4rF\
            5vKSO3DHEa8nbn9A-cjGTcLTYjPy2P_S4k3E_xguZi2pgJByNI8ThsHOPJDpwvWBN_jQ5prMQJPpIOOML6gaO6XvLuXZWf0rT1v_ZlN1I7\
            ZG7w3prm8VpPETaOaXTUgYl3-S-heTTgxj5JG4y3mpc4vJ0_vJOdQzs3r9c8bCH8Lw1ojaMLmjkFdelOsb_pXHQD_QtoYNXpvDUzlI_Tdd\
            JFfSl9WDswuUXb6fCe8PstjSWva8sZSnoSmmX_AykDPejxEgAA
            """)
}
