// Made from Console/Web/playground.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let playgroundScript = WebFile(
        name: "playground.js",
        content: """
            H4sIAAAAAAACA61a-2_bRhL-PX_FHs-9ki1FWy6uPdjIGa7jNL6kSWC77R0UwaLFlcSYIlVyZccQ9L_fN7MPLiU5KdC2aE3tY3Z2Ht88yP\
            19cT2TYlGkj9O6WpaZqCZCYSST8-pIVKUUtfx9KRsVi1w1Ii2bB1njTyZUdSfLmB8fZqkSs3SxkGUjSvlJJc-e5fNFVSuxwoIShMcyFrdp\
            NsWfcbV4_HGpVIXd2bJOVU5Pk7zMYjHN74noPL3DwkUtlXqMxX3e5LeFFGsxqau5CJL9RTqVyccmOG6Pef_m9Prlu8ufr7xlTZmDJ9Xopc\
            _GVdko8fri7Ysr8VysnglBI8u5rI_EILjMM7rZYqGvrep8EcQioL8XL-jp2hvp9YNhDAJZDYZ5-wt-avffy1k-LiRtMI-ayq9b45bWslT1\
            slEyu8lkQcQebzzyZsic-HWz8yS78Vf_RLfVLcRhAsenJY7GM5_-p85mK0iFSpu7J9jQR26zssmGO95XzdUsX8xlqQTpXR-8SOuxLLQ60v\
            FdXk6tkvQvkWf0Uy-zEib-bm5TNZ4R1R-xUsgyOxKNxJFpwfMN08TDxQt-vKaxGEtAKoWAxO0jzGY-T93CXj_mP4d0yPrYmBnZ4um1NbQm\
            uzsSwU9VNS0k5Hf1kE8UC-3d7Uc5Vrhy70w06XxRyIaFVZXQxDwl7oJ3ZU8_k9zBy6VMx0q8TWlbLF4W8CVZ864ibdTNPC8gpOANnnv0zL\
            t4-mN6nzZjmK_C_Gkp0qWaXZMbv5SQiaGBc-oqp3MJGU71L5FV4yWpgL0VN9C8BnzhZ4VUgIlJLZsZ7lsui4IIjZd1TUrzRmZVI0sMBJgr\
            yCX398VvBB55YyaBHBOgBZ1CI_lYhpFzVSWg2gz7CSzCgH4EUXKfFkupDWxS1fNUuQX6p11y7KgA0GCDz8WANw0YEQZEbTjoD2O7Oa8hwN\
            ydMCQTJRr5RISaj-fPyfx2-k0Q6VOSxbKZhQNjUYEl3khwkvnUI0va3OFvRBxms0nI3Ck2d9X79LVUWk8l3X60z-B8srfSW-fpIgwHZTqH\
            uZjTxPN_i9HeisbWz_dWshxXmQx5MlqPouRjlZdh8I8AP9oD8sZ4NM4gCSTwnua3XM3CwN7a44ZYIPPXxt_uPQEInr-6OHtzfnP97vX525\
            vX5_8LBNnb5cV7byjuOMHHB7q0M06PHCtROGS9kvU9zIbtmsl2B9ZiYCQnTsAJcxm0XMtPi5xtY8VkmfWVIDERg8zb-X_fX1yeXl-8ewuG\
            lmVOzqT12YC8NkSPc7ebSbP_XOdzRFR4UEsAjlrkm1Q8d95B5UZZMjfz5guUfM_vkpLNRXllVjsahZwot9fJvJUDCe2cJfXz509upU0iRj\
            xf1iXo3HGw1_aK7XVxhLThQfxy-SYcJXsrPbEexaKoxnzXZAZ8SZpFkatwf3Dy9-F-NDgYRjwc21TE6A6ItAayfPONeC-B_qXqaetuhEJq\
            EiNbAdCAMqJIA4iqpoB1pC0VHS_GaSlmVZEl4pt9g-R6N0wipP3sOXrol8uLswr5R4kzeC5R1W-yKF7ixjI7SYBcMDGeqCVSLGDZ_ofF6s\
            oeut6fLhFDPixXk8kkWwdRBBnZpadFEQZfHZ5RlImBEv7w1zT41eEP5G4tXDaz6uFsGzId6Fo4JU1oFDKpHagTk2dVqTRej346vxZ7K4PI\
            Rhvi1fX1-_1-0v9Qvqoa6Htv1WoHAxooWmTuzfJym7TGWkNZQ-7BsN2ojWX31hHiHoVfOtlE18EunB_6nGgUL9JbJAt_gJdDjxdtydg1y7\
            PMStAu1fj8FPgTEVYHgWqk7VFn2l4CTfk0Wy5iXto8lmPhVIlgERrleIrztXorpymxtJA13x4JdlJWD6EHwHBt2GZDlps-pLkSE4rylm4C\
            r4vhiuMUkR_OW1a9RlW1hOP6IA6Buf2WIIvRP8lcirEeGcKyOWrX6gGk9B44HG2zLXr6SrFxUnv79THnpo9cSNApyOUruvh_rt69TZCTNV\
            K75TGwZkyp3dZKyj4wy6kNj9vI5His7hCUvE0nycBKidcOEUZQG0nYhcxsnO4QI2twKyITPLRwuKQhGbb0HXWNWAnBKhueY9FkU6dKC9WK\
            TdP6RvQPDg42RWpKJ4LuI_EC8GIE-21nFyGyOd3ETcsEgTgPMSfrFq41S2zEG2YKWDBQoz2G0v8oyfImRblGeRr8QzoFapm4pFDbFFl6pK\
            9ODnPKZ4VmlZnQK2maA8_mrKkv7bBVr68RyjnI-6xVPaQNJazLRmaJTj0wqffNMJXW5MaY4iOcXW1cgO2KxwwpexEjDL5Ki9xns7zIsDWk\
            4hYJU34fsP8hyDfsf0pShUyBU-gljaqrckqrMBS8raxxiCCKbdJz0bhyHb4HgxD1sixRAJ0gnFhFPqGdSVo08nhjfoJEvzGY1QktRjXWxb\
            vmFwuya-u8WpJr3zT0ph3S4KZA-ITOWB4QzrSqMlNDImnVtNYiLxEJfC6g-pf5JyiiH63FvBlFXqz7gjoWteyog30moBzlFtvlpyNxQIrR\
            kPJcKx8cmtaEyQyOmEPdtghpaRRpQRrMfqREw88jfkGc-9dpXaePCfUswlRVt6GfMHC471G4_3YjB7ihwX0oORbheIbadIwikIhynWV-J_\
            REQehUhQfEi2Ykk5S-ZB1WPDylVOwa4y94WR0GSzXp_YvFM0lVimSN_Br6TTShkC-mSUWdlMQ5hraEqgavupLgRtNAp98IPJI7Kwb19G_U\
            KKy5PPMisAWUbrW5C5tauFjZ_LAFVWOaBOM7LC-yyNfxa804JKRIhzpw64Q0SPy6ZzBDmiLrmEwpnzdDqjONwEPeTYlrLLpD_WE0bEmMq6\
            Ja1qwgnk4mRap-piKOfsaCLZK1NuBH8W9YJ9xFY1lg8APkgmaRlr5dj4hAb2-lt30r-usRmTWNRp1SkkoL4jzIudikWiEY6kKSopUxNOFq\
            SKrg8QjLodAT6rtzyTk0kQfZV_UGCSMqNFUDoMIAmv_px8ArN3GO57G6NNt2WD73D3staKZ1npoU0BYvjLJWzAZNd-NyXT2YxbZrGYYsem\
            NUlk0H2hsSD35f5ijKm3laFK6kgtxedayEE8Imn5ZAtlomECVrYJ0Awz7HHRugR7azygWS2Xc2iOhTW253CpDNodffRj-DbOYsIbSlR1H0\
            R48_48v-oeMPv3y8Fl0UdUW0YIrcwEIqnuVjst-OMijF3bQzjTke0tgKyUMkf3YjdE7TvOxh5bJQOyw26kKWwyHtb8uyk0wPdHH8UNUZtR\
            2pWBnLoUuYcKd88qhhI7Ya8IoWa0NPhtqWvC8EK6rtXayT0DJiAhpV178SJ7nUCYg7l6IyDdzCcRoycJYNQQqlKSnyFGof_ue317ib4ip7\
            A7jNBTdgNG5PGMbcQch8FP_btKhu0-J6ljfJuH5cqOokaZa3qpAOzAcEjJRmITzK8Z20CUXwo-a0MSe3BzWiKotHkSpuQxRU5Maif_hDco\
            B_-wLRrKKW_0ypRZMEtj2otQgO5WOD3NHqLfRrsKB94bJP67gqCJ4qxyKe9m3k48MdteBoJ6svxCODEv4mJBqKZ_jrmoq8YWeMG3CSBcks\
            yzsUDCWRwM8RZcRGS5wTlxXNAJhsykPkgU_endNiWtW5ms25aDG9osur06ur097712dX_d59_-afIA56M2rMvTrtHf7z-0AXeabBKx-dyL\
            QijR4T_abntXwMA9wGVPD_uD0z1j4Z40Jaj4Efz_LmMp_O1BOkjcl5tMBGrPO10JkDUMtmRuelzoyixDRObSzURrtO9lbabNcmBzXCtmyc\
            gEud04rWY7X95c4wBSkBYdV4kpve8LcHcMxDO9Rj3-ZZdxvpAs8kqk71D1RntCT5tYch2CUgMtgWuRCtxURuOxjBsFswGFRz_unAz6TO1v\
            xaDVHdCvX8nKoZ0oxPIQI3P49lXoRuf8-rbCOxrxMLD8b43AxmvN092lsxvUlRVXXIp-2L7w-i9dHeyiQkPPgVDSIRzq4UIDY8hCwObBd8\
            44we1WxbBzEVTsg0vGBxXrAQ08WC0tJlkVHZq4ExEW3pSe1eZAICIR1WSR3KKVJ4V5_u2g5lPCTBrvwXS05pRbdAp5HdJbrrGSGEufDXjW\
            sblTxvKP0GERXzpj4-SUytbWpiMoJSt0h35NsrY_D6pL-qYr40FT7Vy7oJolkgNHVJxAmKGJVCQycn-tW1K2Nodi0kQIW5dxdrb9Be6M9c\
            gYHgqTtcAUWNj3llP6DhAiBGc_yum6yLI4euiZmvzxTGR-TDM3pLSo0Q8mWS0rUL0DxElkh4R33yhxlurKrKmiZQgbqXRY5whjyVkn8ye4\
            Mv9I8VYKdU04Wtl_w4AVvpbfeAzD5HbrMZ1Jn8i4X_Ftd_Qva4MZWzeyv7BcMXMGp9LCiHbMQhp_rf8Q0gxGTkTG2r1fTXesOf7x9tg8eu\
            NHijh2T63hQlk82XFdwd9-CJFm3hqQ1o7gMP07Efhq4v3u2MfPiwXKVrCmIfysDvv6CcoJpWv3JPKHtqiUbd2tZI8JYLPpIgQd_jghIaO0\
            ZRveI37aDLP6nmGOFHz9TEIxrU1ScYgDKKhgpQumUPVSJ9vkDAW-TjuyOhi8pGFuBNs0GTYJIiDablPbU8aU0HflNdp---k9Uyy4YciVYn\
            XFK9m-hDjrexfCVOa6QcnKkcmb3fin6sh99wf1mP9kQfM5pqIcupmsXiVUVpH6L3Ob389OdEz3lQn9rQfCNiedgNEbsTVb1G70EhSH9fyE\
            kKB3H941Z2zYAJfdU5f-i3Z42etClRB8LZrKBqGg7D4um-YPOUo1_F2FdrNHTc7XCBPidPsDkbHPCcIIk6VUg3YEWwL7YNTZbSPl5hsveO\
            IRnOaRr_XXDz5vmTq5FeHiBp6PW7_uvZXbSLD-6QwK9vOf_fOn7jfVbnEwz-9CsLkyTxDZHfrxnHooWeY1ULkigDGL-zO9JfdkDs_F3BRq\
            PzWQDI4pi88b5v97nm5aA5WS_-7Nnmk4u1_ajCP59cmHutXRZIrx0GWNF21uQ-PZUjWtKyiaKIttlCGtFnMOJrNkNGMnopt_56FOsPZPR3\
            RiRgR5h1-AWqnwHKWBiMdQStArPsnFzqTY4oVVLPdzxLkX7i4qEDnd3fxbgXqdsf5QwH3w2d6bi3z_R-cUcr2NGNhfd5DH4Ybfv94G1283\
            KxpEZPe1THWnZeEdXfPKdNPrh-BmL4ddcxvx_txrsd0iNQp-9VTBaOLQY99KdP9LsjFPjjBSJeDbmFXGDEOm84fvZ_GbUNtKMpAAA
            """)
}
