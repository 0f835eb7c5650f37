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
            sq48gJuwWgp2-DqQ8qwUgbcJJjVk5Ph7PxEAuGfXzktsnR6ZmiSIxcEoVk4P-Vp6ifi8c8t2BzF2EvtqjTls0p6QdWS7mLkNthzRXuGYJG\
            hN-8L6xD6wGIMgoVIKVgClWANg_sBn5TgPuqCQ_BLOifIP6sz6RRYbS2zS6wWSczxCbPnomflxJwmQZLJOSNbiHs53VB_O0YI9dKbk6D3U\
            Cn0-AgGJE3iXh24ALwltwXBNr4Ffe91-xEqdlTBtpwFmm1JXwl4ew2GcEZ0IPOUZfjCZ1gQpyKIlxC4MyF1XYuEUMsfVuDVlpnhBttDbqE\
            Lk1zAzZ-TsDVuiE6S84husrEVAWENwivraQBHz53mAFqGQ9iZg19KhwYJXIjCr0ArNosV3kKxlSzdJe6rRksPihZY7oN4tySJP4W_DO5Uz\
            Dit0jgRi1B72iLqF4B5reM__Dq4nvMGE0mwZFYwvK-_ObwEKwPFjOJsOfFN191NfdKId7-MwBav3oFJofGHo4akDWi-XXfsIc-9OiQ2ebG\
            0bDDYWPfOnXpFgpXPHHHuCSSOYEdENhRFfa4p0cHAGdgffjjdYSxtt7qPCHKZonWiWFjifRjEuA8r1mC_BXTFmADRqC8NZxZvF_m6VIs5Z\
            0SGHHQQejAPEH9TRwP0VGHvqkLayV-ekkqLIJ_MBeqVPcKnBdWUNBK5yfw02kBG4dBUoQ41XOexsutRcxAUrVmCTMhQThAXoeA_dwxUbAj\
            O9naWoc7wfLa7I_PKMRYANjUvBn19u0txWdw9oEVBR5LZZy3tSM8yx5ShVwMzEYAQ61hnc1VQ1ANQBeez64_QDG50LPI-kZetdF1E4Ywdy\
            w07GdNAseNczzuc70r01DrSZgCVKeSsxeJl5K0m0h-wG6iFa3XyYrWk-bbEhafNw82hUYyA9mg6gVOIjOMTbrlce4CJrzGartIghvkHQaR\
            5NVWBZRFQbiha-PJcQD6Vmju7dbR80FQUINshhmO3hqQoSUiI30mxe2sow00fySgBOr1BtevIm8aRccjJKOVEJpBwGQJME5zu_XtSccURU\
            c8hgOqCKChl5kBK0lxkqXK0e4uun85IVvTA22S1j7uxwbWRnl14S2v3xZPSa7glP3aNR7Kp4_9qK25FMDUoAheaFzj3cqJ2CZfH7KxfRiI\
            HBfjR-RPqLE7r-KPfxx17y3_IFYPBrDKs1EMdyh2AV9OtxOTzlhNcVu6Eqc_Er6h2eSjt26BFR4hxNr2kG2jV-BsQVjFA_M0dVv5nYYgQ5\
            Z-aO6gF58qmg0_yahsFZD6VOW1IiHxWRtork10biBtUg1EILhFvDXwxREUfHBQR60JH378QkYwyGE8TiOt0uDyD-3qJ9vAa3BTyPKWMBFm\
            LsiBkUdi9g1iAeCYE7hZEkQEseSn3IR0CNiN0mnd4HgQ2ric4mY-8bdvHDzg5oBZJ4s-63hT97tkYbCVEvZBZIQVsRjwvWNy2to-_GIxk0\
            KdWljuKjpIbvcBk9Ddd0Ro2zekY8n5tyHAqWFcVep7YAexDciVek-96HJkZvwTW8gbyqLtWBZLsw96STgv7YULjExM81AoVmxKHHAmkrDT\
            EDit_zAbnGAa3mv0Z8KlAEXwmWSqz_vuDSKhdGsw0UauehDfECymOKJbBG3meqAN_0PW-P-TNh65sz5COGW2gQbwWwBiC7zsMItgnGzurS\
            BZ7FPxAoZ_FTPzz7zEc7xtm9FORXyVCGLqPfm-u8ga-zxeUCUJ3A-3C_N9gD9-IK3apVbi8G8vHAAZwo8Lm-DeQCDWmU3gqBCccZnwKXxh\
            tkqFYyNLPTBDx2b2dxrOarfdBH2nu3hxL42w1MdZRLadPsFGgiUbGMFUVrjewURtaZQ1fsE72SjKXPAKY7xvxgqKK4JRMqnBRMOAfOOyDp\
            PgihOwwZmNUN_omoqyNVS-4AUF0xESJUIu2WI32aS6wrg51UVvVaJozM6Nppz443qbcxsy2HlrW70rLdYtjFfziPGJ4utKvIl_jelf9hQr\
            Za-XMYvx9vK9hUeRWPvXkPQ-ZGNEv5JdDMkaxnj82LjfLjXBYu-nmsxrMi1dRsK57FyWx49rdqkEdC6_mcmkJPguntex5xs5G7OFM78L6c\
            F17qczeK6I_qZbIoUzCxj63L5_XkFhWgo38UWOjc3w-IMMa_iFAh6Xa4w-1y6yrVWhZbb7RuFNTieJU5H-7NeA6NRGrHgs5oVccC5ElXd5\
            rUtMmSNW20GiS-VfECc2id8tZC0yCgP5vgcXtKalqWzWjfyeHnyQm8gcr3xt3KPMrfeq4tdfrS-ZuiS_n5vt0BnaMxKMM2jjtLRNFP_-5H\
            R33G1mulMNShLyTeyAmXuZN5h-xWuALRsaC2eAUYjIsR_-jO4KeLwzyADon2wMBt2sHy5VAUdE12GQoItDL4khQch5ZGerrlwmi4fb3Uko\
            cwbe-y7XbY90-QkSQF8QIKw3CZx6uicGscU-3cq6KM3OzVlpmtbgZZ4sFwDuUDyUVpFu7HEwEJCjj_s8DkbGsoawfR-3qUvL25dSw8S8q-\
            wZHFZvN--B7h0R3Tsdk0b4CNxa-T7jujkk6PyjfboFAq2V8DXWf-_AqQT04_4LjbevL2GBAZ0b8lGZKnLMtl1vqZoXSjWUy-CGQXl8cujF\
            U-SfRCc5jKeHbzl2LdHByJ2PIsQXpCqhd9wBFxRtpoylzgko6Bzq-Tzq3zccHIgPuqDL4709aR7KVHRWFh9Phr5R3XoXjMt8Bw2h_0KKPw\
            FcXsKZUZknf_eID9MQrKmYDEN1mNlXmwe0io_gNJ4-0oynYnYq56ClJ08ft9wR28TDekaeCq8sCRXvG5w6sLFCPhfhEzd3om8jwEzgesiD\
            n-OpC2d82QfWtevGNeuZxz7y1rHedURmw24e_3KZrpGswOx182Qgv3jYOu39zTQeXFN3Vpm6Wz7wp68EbNSuSnRZVrfxDec5X_SG1udQj_\
            5A-vd5E69iai2Bz-qWreec1O6NR4u6_YHYtye2gflq6xqMM1u8_u6fH0qN88RMqssUW26iEXOULbZyAPSCd72Oh0fh-OPUr8tF2zsOy0z_\
            UhjMieQndzgpQN68Fph51BZ7P4gsn89VDW5et4sl3qcTtLNGGLnqA3AG07tfHZKm2l7gk7cIaeNxBPceyJYw5TaJ-JTGgq3so8RJ_6Yn7r\
            OysffKMh5ES_EmIAP_j9QYl5GlGRkXDN2tcaEVM6u5-SAprkFP3D0y4KjWPZJs6ofuISOfQzZU7kkhWumwu5B9B6Wga8OpeKalNG_IO0fd\
            Q-6Q_Dc_FIdKc4-vyeRC5mXSUxiNpsdEhVH2QSHYH7BmIiRHHnVsMkv2yhk8FRMfsvXk9_GVadBIcP-Wxmc5Q90eTMF8gX5CXyAMW331UK\
            lzZhZFfvB3awUPEgwCuX-yAviJ1xORe1ifUL1dpV26fbdoVINhn26bELc4pufgwzTJHaVJvCtnMhy9yyxoy7itQ2sb99RTCt754TIFlFEi\
            s-wcgGPzLjcA9cAyBWmRU04l7JJYIz07ESPN6xPojuowdz4af4pRrAE1Je9KlZR1ph3f7Ns_IYu3UOIv6uPUFr3XHms5n5iXe_47fSz_F4\
            tYzlr0MAAA
            """)
}
