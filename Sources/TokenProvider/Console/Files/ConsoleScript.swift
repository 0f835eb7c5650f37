// Made from Console/Web/console.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let consoleScript = WebFile(
        name: "console.js",
        content: """
            H4sIAAAAAAACA7VaXXLcuBF-1ylglpOQXoqSvD9xydGqvLJcca137ZK02YepiQYiMTO0OASXICWrtFOVO-Qwec9RcpL0D0CCnBnvVqqiBw\
            3x12g0Gt1fN3BwIK6WSqS6NLpQx6LSRWFEA1WZVCtd_smIeb5oa2WELDNhlvqemlfJ3l6-qnTdiEdxtpTwuxbzWq9EkBykWDbJRxO87Drt\
            CSBQ6rZMVSxuZLbAn4dGmVikhU5v4UevKpk2schqeQ__21o2uS5jYKDMYrHI7xQUVvIWRpa6gf_IDfzPF1B_l5v8plDxXs9GJRdqyIQ4--\
            uri6vLWFy9__78R_iFKZBOwz_tCujIolXeWuzqR3TevobB6VJro97kqsiMN-KXVhlk3I7ZQ9k24ue3P75-_7M4EUdfi2fim0P4e2mbPrx_\
            9w4anntVV-cXP1xCHYotVXWTz_MUeDwWwaWq71TtVwYxdNKpqa6BzwqGY7f3Z5cfhCtTj7TIVdlcy7ZZ6jpvHqDTGVWJror61epOpyT56y\
            I3DXS76GoE1lAvWeXXtwqJvPrwVsAX16apMua60beqxCYqCipSe25Mq2ocaKD5LZVAw7BM7biVebmwlC-5ZKmvnWxYu0A4vJnJSlZhSJWR\
            OPlWhI8iSRIqo1ao-2NRqnvW0RBVKQyqQjcmiGJhR62jyBG_hQ5IG9UsDNoiiGG300IaZPhG1iaA3i_3BnQSWVUKyjwmy-8Gg1JZZzwRDM\
            VFcrelkpmqsec6dlVf2mJwhRIzcD6In8B1MJUsB7R_aXPVCLOSRWGJByIvUcVWednC4QqiCJZJi8I17s3h_NFG4tEhkZgwk42MWNNIBKW-\
            BwFgbYKfz8QRKCbSFgKmbaCNzkti5Koq4GTIJtw_AuJufJOvFHQKuZ32BOnsi5DOVohEYI3YLYigmmu5d1dP9Oa6FqG36ULP7e4zv25Go-\
            pc4a5RY8LFkEi4LpXOS1KaIe-myFMVHkWsRI4HEJf6RIzzLI7IjQKO1JjIhLpPXw66GgW_pEk_yGYJ5D-Fh8nh4VHspDBabycHnqOXgzgg\
            -UeOfK2ati5BB7D9mP47SVvjBYrx_uajSpuEiyHLw66R7Rktjj-7GS1Hdh78s4sAJtY8_Xog0yJf5U0ndS6d-iWrWnAA26KwI6kVj2XSVt\
            CsQt6Z2PGMtsBxHIsJaw4bTzT799PYznt6SmSJo3WnfCl4GNpn0l9SfF43ftKqJ7fkTsDYh5MZfidPH_FnPUPSpJvD7T2cRlNPvVeazkC3\
            rbClaG9oXp5qEjMbU5qPPlmf8dARI8b2gN-w7-SGM4MeCT79Rc7mgeQ4NAhrPuNJrapCpupVUYTBNTQEIsDzv8N6lO3qRtWGtQbtB89pFS\
            Bp9Dsw-4W6bGqwwmEANhyJNbVMb0PqCbqJ0oB50M7AEtfO21EnMgKw34q5o6WgbwdW7hYDTqh7wOb6O_0Jag7FIeq9eEF-oQJPhn7vlalA\
            Ry7QFyH_ulS4SFnncn-ZZxlwSMR4NTCOZ6thjD8dy_c-z5rlcb-PxKn4FuY9FUegs4exbcvLEDiJiZ1ngrqhHJYqXyzBPb5g97F3cCAuQW\
            9a2NNG1SvGS7Wat0YWJhmZXu65YXrnMi_Q41n1TZcqvTXJPC-AIvo4KLK64FeCveEAiycnJ_1RYEL3si5V9jvpYGecdQudQt2pAshYxpJC\
            lYtmaaUE_jALQFI82agNK7ExWGidBR5nuiaz-Ciw4VhMAF7I7AH38RyAzQPzJCrYKbDPAZxJpNT1w32DSaSwTOO4S6UIsfIywUoX-h5Hki\
            IDjzj4R93AZvBEs6ePbj0WOwzlUcqVipKPYJdCJB-tj8ESbpliNgXUNyERTT2R7faRlqOtXoS6PI_QrCGFnt5vepLt_vRzfsQpW0qWckJc\
            TYKfKuraI--wwwD7rEfAcN2oLLKinTicUgEgZTaD2K4fVMmuE3ThP__4J6qCBfghgu4QbCaD8Khj1Rpf53TGs5gcYgfaBeIj6CKGoRxSCZ\
            uUgSS-EIN6OMcN1vd0z6gnw1PDerGb4jUgZXRKQGCNGOvpI0Uv23pSA_ab0VSkG5lO2xWQSJq8KXDzYTI6CuBe1uLf_2Iu9qta3-WAC2cE\
            fwhkwqEwsBkAMxv1qTnTsIoSFcwGPLxJtlPvZXgsOLmVrB8Q6rKexnz-ps7vTDxnMgKuM-wJy6Rx6xm6B4TnIZU7p-IG1RQ9BobsGvkS63\
            SaWtMpdY5LCLfs6POwlohw36Mpwlif1SEuJ02GmjzrCjiYvqxPxTPtO1PLd8dn1tgiHX7Hqm3LtrlNDATgDzeYwSrNBpp8DkpAIAD3azpA\
            k3ZLmcUI7HJeZLUqLYJMUIvOsG601Vh6acGXt7tsjHBzPSvvdtY3_CMr50NnCzZQzlOCctscC5zhCRn7GMVLljOY4oHe6j6oN5l_J8bAGW\
            sq48gJuwWgp2-DqQ8qwUgbcJJjVk5Ph7PxEAuGfXzktsnR6ZmiSIxcEoVk4P8dTOi3-nNRmeccbAYj7IUXdTqzOTH9wJopgxFyO6y8wp1D\
            6IggnHeHNWk9gFJGoRqkFFKhItAWgvXAbwpzXzXhIRgH_RNEofWZNCqM1rbZhTfrZIYI5dkz8fNSAjrTYI-EvNEtBP-8LojCHWPkYMnZab\
            Ae6HoaHAQj8iYRzw5cGN6SE4NwG7_ivveaXSk1eypB284irbYEsSSc3YYjOAN60DnqMj2hE0yIU1GcSzicubA6zyViiKVva9BW64zQo61B\
            x9Ala27A0s8JvlpnRCfKuUVXmZiqgCAHQbaVNKDE5w45QC2jQsyvoWeFY6NEbkShF4BYm-UqT8GkapbuUrc1Q8YHJWtMukG0W5LE34KXJq\
            cKpvwWCdyoJegdbRHVK0D-lvEfXl18j3mjySQ4EktY3pffHB6CDcJiJhH8vPjmq67mXilE3X8GWOtXr8Dw0NjDUQOyRjS_7hv20JMeHTLb\
            3Dgadjhs7FunLulCQYsn7hiXRDInyAMCO6rCHv30GAFADawPf7yOMNbWW50nXNks0UYxeCyRfkwCnOc1S5C_YtoCbMA4lLeG84v3yzxdiq\
            W8UwLjDjoIHaQnwL-J5iFG6jA4dWGtxE8vVYVF8BLmQpXqXoELwwoKXen8BH5SLWDjMEiNEKd6ztN4GbaIGUiq1ixhJiQIB8jrELC3OyYK\
            dmQnW1vr0CfYX5sD8hmFSAtgm5o3o96-1aUoDc4-sKLAb6mMs7d2hGffQ6qQi4HZCGCoNayzuWoIsAH0wvPZ9QdAJhd6FlkPyas2um7CEO\
            aOhYb9rEnguHGOx32ud2Uaav0JU4DqVHIOI_ESk3YTyQ_YTbSi9TpZ0XrSfFvC4vPmwSbSSGYgG1S9wElkhhFKtzzOYMCE11htF0mgg7zD\
            IJ682qqAsigIPXRtPDkOQA8Lzb3dOno-CA1qkM0wz9FbAzK0RGSkz6S4nXW04eaPBJdAvd7g-lXkTaPoeIRktBLCNAibLAFGa263vj3pmK\
            IYicdwWBUBQPTyM2AlKVqyVDnm3UX3Lydka3q4TdLax_3YQNwory7I5fXb4inJFZyyX7vGQ_n0sR-1NaMCyBoUwQuQa7xhORHb5OsDN7YP\
            A5HjYvy4_Ak1dudV_PGPo-695R9E7MEAXHk2iuEORTDgy-mOYtIZqyluS1fiJEjC9zSbfPTWLbDCI5xY2x6ybfQKnC0Iq3hgnqZuK7_TEG\
            rI0g_QHfTiU0Wz4ScZla0CUp-qvFYkJD5rA8216c4NvE2qgQgEt4i3Br44joIPDu2oNeHDj1_ICIY6jMpppFUaXP6hXf1kG4QNbgpZ3hIm\
            wvwFOTDySMy-QSwAHHMaN0uCiCCW_JSbkA4Bu1E6rRscD1CvyyxuZhV_-97BA24OmHWy6HOPN3W_SxYGWylhH0RGWBGLAd87Jqet7YMwFj\
            Mp1KmF5a6ig-R2HzAV3X1HhLZ9QzqWnH8nApwaxlWlvgd2ENuAXKn31IsxR2bGP7GFvKFc2o5lsTT70JeE89Jeu8DIxDQPhWLFpvQB5yMJ\
            Ow2B0_oPs8EJpuG9Rn8maApQBJ9Jqfq8794gEkq3BhNtZKwH8Q3BYoojukXQZq4H2vA_5I7_P8njkTvrI4RTZhtoAL8FILbAyxGzCMYp59\
            4KksU-FS9g-FcxM__MSz_H27YZ7VTEF4ogpt6T77vrrLHP4wVVksD9cLsw6wf44wfSql1qJQ7_9sIBkCH8uLBp7g0EYp3ZBI4KwRmXD5_C\
            F-asVDg2stQD83RsZn-n4ax2203Qd7qRF_fSCEt9nEtk2-kTbCRYsoERTGWF6x1M1JZGWeMXvJONovwFrzDGW2esoLgiGKWUGkw0DMg3Lu\
            swCa44DRuc2Qj1ja6pKFtD5QteUDAdIVEi5FIudpNNqiuMm1Nd9FYlisbs3GjKjD-utzm3IYOdt7bVu5Jj3cJ4NY8Ynyi-tMT7-NeYBGZP\
            sVL2khmzGG8v31t4FIm1fxlJr0Q2RvQr2cWQrGGMx4-N--1SEyz2fqrJvCbT0pUknMvOZXn8uGaXSkDn8pv5TEqF7-J5HXu-kbMxWzjzu5\
            AeXOd-OoPniuhvuiVSOLOAoc_w--cVFKalcBPf5djYDI8_yLCGXyjgcbnG6HPtIttaFVpmu-8V3uR0kjgh6c9-DYhObcSKx2JeyAXnQlR5\
            l9e6xMQ5YrUdJLqE_gVxYlP53ULWIqMwkG99cEFrWprKZt3I7-nZB7mJzPHKl8c9ytx6uyp-_dX6kqlL9fsZ2g6doT0jwTiDNk5O23Tx70\
            9Rd8fd5qc71aAkId_HDpi5l3mDSVi8DNiyobFwBhiFiBz74c_oxoDHO4MMgP7JxmDQzfrhUhVwRHQdBgm6OPSSGBKEnE12turKZbJ4uN2d\
            hDJn4L3vct32SJcfIgH0BQHCepPAqad7aBBb7NOtrIvS7Nycm6ZpDV7pyXIB4A7FQ2kV6cYeBwMBOfq4z-NgZCxrCNv3cZu65Lx9LzVMz7\
            vKnsFh9XbzHujeEdHt0zFphI_ArZXvM66bQ4LOP9oHXCDQWglfY_1XD5xKQD_uv9N4-_oSFhjQuSEflakix2zb9ZaqeaFUQ7kMbhiUxyeH\
            3j1F_kl0ksN4eviiY9cSHYzc-TRCfEGqEnrHHXBB0WbKWOqcgILOoZ7Po_6Vw8GB-KALukLe25PmoUxFZ2XxCWXoG9WtN8K4zHfQEPrvpP\
            gTwOUlnBmVefJ3T_kwDcGaiskwVIeZfbt5QKv4CE7j6SPNeCpmp3IOWnry9HHLTbFNPKxn5Knw4pJQ8b7BqQMbK-RzET5xcyf6NgLMBK6H\
            PPg5nrpwxld-YF27blyznnnsI28d611HZDbs5vGvmOkyyQrMXjpPBvKLh63T3t9M48FldWeVqbvlA3_6SsBG7apEl2V1G19ynvN1b2h9Dv\
            XoD6R_qzfxKqbWEvisbtl6zknt3ni0qNufiX17YhuYr7auwTizxetfAPBzqXGemEl1mWLLTTRijrLFVg6AXvDG1_HwKBx_nPp1uWh7x2GZ\
            6d8LgzmR_PAOJwXIm9cCM4_aYu8HkeXzuarBzet2scRbdYJ21ggjV30AzmB699tD0lTbC3zyFiFtPJHg3gPZEqbcJhGf0liwlX2aOOlf9s\
            R9Vjb23lrGg2gp3gRk4P-RGuMysjQj44KhuzUutGJmNTcfJMU16Im7pwYc1bqnkk390D1n5HPIhso9LEQrHXbXsu-gFHRtOBXPtJTmDXnn\
            qHvOHZL_5ufiUGnu8U2ZXMi8THoKo9H0pKgwyj4rBPsD1kyE5Mijjk1myV48g6di4kO2nvw-vjINGgnu39L4LGeo24MpmC_QT-gLhGGrrx\
            4qdc7MosgP_m6t4EGCQSD3T1YAP_F6InLP6xOqt6u0S7evF41qMOzTbRPiFsf0KHyYJrmjNIl35UyGo3eZBW0Zt3VobeOeekrBOz9fpoAy\
            SmSWnQNwbN7lBqAeWKYgLXLKqYRdEmukZydipHl9At1RHebOR-NPMYo1oKbkXamSss6045t9-4dk8RZK_EV9nNqi99pjLecT83LPf62P5f\
            8C_6awfPowAAA
            """)
}
