// Made from Console/Web/style.css: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let style = WebFile(
        name: "style.css",
        content: """
            H4sIAAAAAAACA7Uba4_jtvH7_Qo2QYDdO8unl71eH3Jo0TZIP6QFcn0BwX2gJcpiVpYcidpHgvz3zvAl6rneuysWu2tRw-FwZjgvjt--Jv\
            8oGRFPZ0aahBaMXAUhCWISbEnok3B3vSIVADRnmvDyaGBisiMIB0AxiUISGziaJKwUhJYpEXnNYKKggjVr8vrtq31dVYL89oqQpCqq2muS\
            nJ3YnhT8mAuS0vruHbzzvDM9wujX2SbbZjs1lNA6xaEsU89NW97BM2OZn8VqqOAlzkpv05Rt1BBLJaKbZLe9vVVDgj0KGApugiTcqqFfWs\
            5wbBNuki1TY2obMBjGm22i51ZlN24pUSNeU2U4zLYszRL15lhVSLOfbQ-RM2RB_SxiN2r8gdYlDO1uNoHvd0MGNEsyP9VEHCgiPUThNmB2\
            pANkO6a31bCas8YLBpvQwyFSdtgetlFvOIJhutukhgo9HCNxhyg79Ic3yLV0e3OjpdTQstmT5qkR7OS1fEU8ej4XzFMjK_LVB3asGPnX37\
            5akR-rQyUqGPueFfdM8ISSv7OWwZs_1ZwWK4LI5EKa0aeqrPak5fIDqiNDhN-RH-ARZn34Dj94P7JjW9B6RX5gZQHo_1yVTVXQBmD_wn6m\
            _27JB8BrJllUaomapryFHQT--fHdq99fvfrjiaWckqtzzTJWN15fb1Fjr6U-d5rt6K-fBVFA3-lBrcHBLkjDGzOo1TgIAi1NR5HDJIrj0A\
            waVb7ZRbcWp1ZmkHmSRWbQqDONaHrIzKhV3F12CDM77Kq0nwZxGPcnGMUComm8M--0Zm-zdHN7cActeBj5gV1Ea3fmH243B3fQgEcb0Gbf\
            vFEanmW39NYds8CHgAaWFEfL-ztz9HyzSbIkGryIRhQ5up7e0DALBy82Pab-jvrxekX2-wPLqprhJ5oJVks1OFSPXsN_BYu5h891ymoPhq\
            RO5eJUSJgmqauiAG1JU4DzRHXek5sQNQ8WfWCHOy6khBER82j6c9sI1E3_G4nnUKVPEs-J1kcODJbMOtDk7lhXbQk8vKf1ldLG63fG6JpR\
            RCxHswqFH8Tnx7fBeqPf4tm7VtQGK5KH8ButyHlFWjiYFfym-JvCEG4848dW_WdF2jAxpkrvUT4BUoVFghW8gQ2KpwK0uwQHIt_3ECn2aU\
            QnXnoPPBW5QZUHEgh3IfkEW9kqFuIx8nKGvmUPXkqf6Dwcwof-FPxODzIBIvW099sTb-0H7KQwRaOV4ylMxpbQzvMZIagzJsUgBQ1SY7Wc\
            XWVZg6c40pOTKmWa22s0Wt3SGT3x4slgxHdWrIascImsfVYlbePd84YfwLMj3qoVygbBRALWk6djejWMJVSvoXXdGFLD9Z9yDl65_CjRp7\
            w5F_RJyZv8gZ_OVS1oKSTkWpqvMavksFLJdXOiRTFi_tQulS7gnLI9HcCCd7MALYdFPXgBxzvZE0EP6DlwoJFz3r4m_wSpkCojlchhMlDM\
            7uGAgwLCX5HTknDRENgM-iL1rsa_DUvN85nyUrAU-dXANBkHrY_8npWK1QCTFdWD91BTOP60fHqAlaQraEuOUvcOPOV7wtGLCXU81m3ZMI\
            3gXDVc8AoOGj0ASCvkXH1EAsUSyw31aE6mp58NDXuipCRtRcHPYDkQCYfFxNXG_0bK_SHngsnzIA8skq2FcsfPCxQVLBPd2ZS2zov1IfvV\
            46D4j6DtPVsBb-2EsVlzdLGnKNajXU_oow8_iHZn1AKpVidA0i7p8q30cwYL14QKEDbDl0p8ONbfaQPxy93TOweDs6twegMYELg0Qjgkqp\
            OUUu_QoUJrxYeF36f8vn-KsoJJFuF_rUZKKoRQiKxLDwR2gr0jT1iNw0eE8bVNVDbVqMjGHpispidlDowySceD6vNoTHCwi_2-TvmEtqLq\
            m3z3FBqcI-qXSDVH213ZEDP0B2oJ7RWmNFsa2u4FK0DTG97M6nZvWVjuauvfP6xIjAb02lmSn479nR2KKrlzDqNh98glqflDq_agwWLft8\
            InJVXCR64BE6Y5YADbYprV1uYACiMtFYvATIPL-mKLjs5szwoaxWxlNWm8NfdTllQ1VSdHrTPprReMjaVpn-Nuxu7ChjejBa2PHWKa9YPW\
            x3lWYgUY8M_RYzwsnjKJSgKA9ASewjl1vbDQMMQMGlsRG0OGk983LME9OuGXmh2FE1D7jNcQeiU5L9LRDKVJGvJ9zmiqmfxiq3OgDVPc1k\
            yIHauul7SWz9AJtvfPYB0bWUY41jxV9YM1mkwVEz5nTWfN6MglqLfq6Xqkz9MnDEnqswNHOjnriTgImng6o-fG3LE9YX5cszOj4goF72W8\
            gFgYVgAjc4XWBQ3bikQRoLhekSCrr7WRySmkyc2XWlVMLBrvfHfRgSAbQWsdosHH5O796zev92UlrvawlHiCeT-BCWHfYr2nbT7i65FauQ\
            L-IOtCoP-kgVVW8P8BBCMlTuVZbmsldFlA6u-bl_JcXnLm-gdnr_z_hBrc3qrhZ-Pm2IEzNnqryiUz_mPGFI51GKsB15bFsOnm_tjzwOEg\
            ntPPyht0FltOXmM-PjaMODqzvE3gXRrWmKeP0eDoDBqb2PfQQAI_xgKDM0hMvm9wtCfQo6cvEvhINxWFA73ovLFZay318eVGvm_baiUqa-\
            UH6AcSNuFUbp3_WML9CHlClTcqNPoktTPESeUxxH2yAtmtog5NYnuJHhlsqEqTyF6sTo2oq3IubHNLBLsJS2BUaKJEEOoSwTqjiWgu1lob\
            JHQeW2NIFzLil2TBGls6DjO3JsxMcpbczfiZKYfwpbxPGA68T89x2B1o8pZCkpnTieUznj0BTTCCNS9pqL0DEw9MpQZOkOYsdR65sd0AYo\
            0FAQkld682DZjIW8ixZcStQhJ8kNMqUL8yndE7d6W485f_ySENZY9nXkMUUEJUq7wjbO7UgLhnAoNpaWjm-8B14LbzGOFjEBlZDuO1Gc72\
            MnbfsUhKdvP5rCF-FIu68_0-7PpQ0PLuuVwk7MjuJq8x4lZ5PmYFcjegmngA3s2eBz2VPvKGvDGMnqVPwf02LnmuQaz6WHVlg5qBXCCV6K\
            WFpjCnZ4CWLlZ6pmMOUdOyyaoaomr5EeX_3ytPVXH6yEfMd-Z2MYUDX9A5cHcpPNVGzDUYZCJRqMI3mN07Norc1bAJtbUhu4ccpKo9lmXw\
            QRLk4RUkJkEKvrcEK9OCNYrNFRpkAdqxjjYu0GKSbuoKRhq7-bLmgiudqjx0BNSwE2WAIfgflbOc3djQywXUHtMBM6GVC6VcoXOD5RQxth\
            hVqHurvvm4wF6gdbZFA0BvUShiVvaxU_dZq6hf1MilsMPnaFopcqVoV-yeldcaXa9-bK9iMGfMwSOZVBE_L3jelNc6DyaKMmPRcdqSd3ne\
            jSznv51_ORf6znDZIASmTGpqbDJCsHlM0tYNBgVJXTVNTnmtqpBtkoNOKazASu_JWdMET9MWRdZ7dQ3z4nNinju914UUZ1k0uiNF7Ucxan\
            Nvg_411MUVe7XOum51AadvaGwFoG9opC4C587MqxkWh6TVTmrY-l_TI2tMxefExQRSvJedRaqGUgrY6xrZGJLYJRQpcjhi9HlgCJ0hnPBz\
            hUogzc7gTYL6pV90iygFeRHp3eS0Ei8w2Tq61leyExPNq-seZDgPGfYho3nIqA8Zz0PGfcjNPORGQ6J49H5c3R3sRkKFc1ChCxXNQUUuVD\
            wHFbtQmzkoQz2tGR14RC3jgh1B40fR4yVp7m58d9Cl0BrvILkdFsB3U7ntMyfBwb4u6IEVy-XwL3MF4C56T4uWzaRPywXrZj6PkG8_OYbv\
            -WR9txMM6xuxCs3tak4wNOme9Q0YBROuyrB4Ua99q7os0Nt5tPKX9cM-z8eXQRKzoKbEPnAnOs4CYgp6bpj0zfLTu0HQjpG8QpVfcBW3UC\
            7-rJR6Wglk70dOU2SAdKYgD7xrHeU_Il8RkfazBencDXbgIzZGFWbXsCM1UfZ-iPqNqA2CyzIukbrRPq6-LsE1VQ9KGDPaq69CAV-VEQpB\
            yi8tawTsTXb8IXapF4B8kBo4hzHYDnuqnIj0ZmsjUoGxlw70puOT4e326H57-tAv3GnLuFPqJHAEWQv_aiuaqShIzagNnaP8V713pKQALx\
            DSxFxLR68TRoGlQxJM3tsDWhL6uKw-2OUA2lxBqdsr38bfTl5uiYlcZXaPb-dM5po8QOe-g5xSWRxp6VdE2-BnUn9_4mZptmgvb1Z46bYs\
            DSd9btGNl-dWrAikAZBwrCQbrEeeuM0eln777RD921Ve5uDqxbtPuxGz8d8gu911zNKNYWForVfXGdbbyEQZy9lLYOiumeKYMWyDuB9rH8\
            NGptkOGWyBa0FSpTU1y6zbuqn8i7nxIo6rLYGCzbGvS9vOFVdHwW7HudJeqtUr4DVe6Y5rw4MmmKXmmc7lTvSl9ddxKIMwTSAXD7J6VrKm\
            uQrW_q43pYGcaSSbaCowsRdZz12-mdxZcwq0Dq12ulQcXyjSTG3dmmEjoJRltC30zacxgy-q5s-G0iqEx1bHpWvd8HML674_vEtO8oon7I\
            UXE3iIuhDfoOiC8E9KH9wm0Sk1mW6FMYtL09ozpBNpiRkbPs82qBL9JYb5M3Gu2ULU9rzGDWxLL-4C3J7h-0J34EWBt2wuqsQisYoi5c3j\
            C21irFro5O9ztVBDQ3cfPXXsXnCrKJHZ0ugUshdcKkpkpoA6heviO0XJ54K_KfiKyIc3Hesnk76MlygPm_j15fOSaxSLaXxV1d1qnwsu_q\
            9mZjsyM2pN3Sc9FVzJHiMMi96MgrDh9RcmIEi2koHKQ_F5YUum3nBRAr3Q72ITFieb8f2uhm7JmF0qQt5MLKgK3jj_PV6gjNKeLpfV2aw5\
            6L_rEh0sPG5oX26AXxcmwXITsNCf7MgazJponp-8Gd8u34yPlunacQU7f5EmDzdYnusyU6upUALOrHxyuo2mu_TWZ1ALXQvsGYpBaU6Chb\
            NggQsWzYKZomECSi8u8LIztw0T7OuwOk0QX6DlQTWBYTLNG_Hx8gZUt1nrsoboecFaGj6Ov0AybAgf2nZTeZyJJiezsbm6SUfHT3h14Slb\
            x9JvRd2yjwtNq5MVpMgmEW4o0q1xSQNrOF-DcW8F3T5zW1LcGdMDf77GLzmYVtPJGzlEY7u9bYUWfvRXutwoUEHbntqpl27zs-2n0F_pkr\
            oNms-bLpPuz6JThRoVBoW9Uon9btb0t7NsHqvQu11pE32jfSCnF2jCYc26DnAV-NsvfNlNTnxFsWZpm7AUEmjTYO2pV6xMmJLveJcHltN7\
            jprYnKpK5CPs4J4QqVRXbNpM8JZSa4s0mWBAMf3Vsc-gYGVPsHNr3L8KN4X_78HQFKYhAyn4H93LR-ugPAAA
            """)
}
