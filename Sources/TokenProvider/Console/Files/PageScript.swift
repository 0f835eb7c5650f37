// Made from Console/Web/page.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let pageScript = WebFile(
        name: "page.js",
        content: """
            H4sIAAAAAAACA61Y4W7bRhL-76fYEkFBJjIly4mvteIEsdumudZpcA5yPxzjtCJX0sbUkiCXVnQqgXuHe8M-Sb-ZXVKU7eL-HGCb0s7O7O\
            zMN98MPRyKfy6lFbPcLkUhF6oS1VKWKhYf1Vcr8rmAQJWVyE22EepOlWKmknyFfRYbBsLw2kqWt3URHxwkuamsuPr0VpyJYGltcTocrtfr\
            eH0c5-ViOB6NRsPqbhFM2p3v3r6_wt7tgRCLPE9PRXB5FL8QJ_h9jt_v8Xs0wp9x_CIYYNNM8p6xGGMdP5f4676weC1LQ_ITcfTpb_ELeo\
            4-kQGWmtwop33yMys0k4OD4dOn4o0RKlMrZaxYa0RCWlvqWW1VNRCZrqwyFINwXpvEajgeCWlSkSx1lpbKxOLp8EB9LfLSinYLQnKrQiNX\
            atCzRjdtBiKO41Y34quXytalEXOdZWGaJzV5Eielklb96PxiU9Fgz7POxuSgcff4uFSiwkYxz0vKwqOepaVc_x89e38V4iQg4X852DnAxn\
            y8_0KBz6ZLhA4n187fO5nV6oZg-dvsi0psDAulVlW4MxI5XSH0XIR2UyhsZjVxdgZMtk4EUZvxWKbpj3f48KtPdNg7C56TLZVVig06S9_A\
            Um1SNddGpeLbb8Vu2dRZtr8yl1DenVYp-6Z1tn8Su2dLfHjNRwoRBOK050VzIHYuF4UyadjLVjzPpA2jGLG1uELI65E4e-Vi-tDl3TK5HP\
            ERPtn-FE6aB4_LApRTACXUznKHh4WyHgznm3cpiX1d_UMVmUyILADM1lXHJYgmFjdindfwY6Y80QxElUMASqrghqs2LrYKoIMukJdSLYKj\
            RKbmVmgjCoUzHoV6tczXO6Tdqs19iLl7EZXhXn-_-u19XCE3ZqHnmxDbOSqU9y57MGh-gducLahFPmiTXnZ2m3hLX1S6gFx4J_oZpORxDn\
            fl_EZUemEGwuYUoJmqdAoY2gpBK9PHL4z9YWVRnXvlyyUfEPEOxFbcabU-z7-CCUcCHAryHGM9kKWWh0udpsoEkBEWAwFOcMqFtEvSZnCC\
            g5m5r_moG_H6tfseE8MOeAsVOazQQuBWENn8lvg3qUvc117kWV56WeCEh2ud4phTMd5fzoDaRBbkVpkDxsFD8Zdcm3154yO5B2H0j4UiDL\
            PnA44kg5n5OqgKaThGSSar6lRMeZt4suVnM6V49GLs9dsu4oDEHQSnwbdsQCS2ApoJwoXOVHpYFxCuZtoAZkCjLGViCdErABupqfQsexzM\
            XhY62PWye8WQdestwsLh9edie5E09HfefK7Ho_F3_Pf7m-GiHqCZUaDo6p5upp8_19snW16OkzxVHxBRcFU4imKb-zOOTqKmmUassjsqxC\
            GXzfa4idynZ5E74l-4vi4rlF6pKsthnuIEWmqunz3ZXgP-JLmJM2UWdtnwIFHdTB9J3EKDoylxbu6wckEjhs_XrSOmINilEhv6eXTqT7a0\
            06VxL5y7FK6XeabAiasZ5hqQyxzs2E-H9wYwKxSToWNoOpc_IVa_5onMlI9YgGoi606vNlS-Z-IaEbz-7uT5aITCS-UmcI8quCHkXh-fsG\
            CZ12Xgn63ohAQrbdA-gu5TKzzCSoX5jCqg_QTZwc1kNx_YdS4yWWLUa91Bh5QirUtJMAO-6wQTUCWCsSCXxLFw5z8-THi10B_mgJkpyynH\
            TS_BGyC2PC9D_ihnVbeX6dUFhuqIA3Mzudf5K_1v1CnxChJrNtz92e-20bt9CXB77zz2YCjIgO_jvHJ45jc_ZdGkmxbc6isxipw7cVFXyx\
            CI9dl2G6IGMPKnoQkcidfkHFo1eddMo509Z8RBm_eOxe-_P7J8xP24szjCCDNDn7ttu74vc6dHPBcGAkiHLRB4m-Re0_Dg5S4qszXl0KIk\
            KjFX6x7jPJpPUFMBcYvqre9_37xnm7GufgJxYXJx8rb7ieCP__w3aJvlbvYZ0c26tHubL8UoHh3tVF_S10754e4jvDRE97jOuRO2FfehVA\
            nKGTA8jvZGGYMbvzM2i53CT0zGXJNEDia3DF7qSe7eAYHsq17VqyuwvJ7rRBr7g14AbqcohAY92plo57IdTXUhnG1QkP0AOoDSrMcID86p\
            OH_R_Lh0j7fu8REPLgAqICZXKIy6ipj4UfEVMDMaP6fguk0vnfUWVIfiaOIlz7A18mpDp9YLz5SQ3E84YZtNXbP6TTN9yMRJlie3xHwrtH\
            jd1T0IkKL9A_rivqRjxI961WPFw7fnQUu7H2rQkHTtExHkaTHTxSyXZeqmPwIxJkMvxPBsc_MXAC425yz2nWKNMujnwenCf9fx3VeGA70t\
            AArdiu8dQZXpVTcgZXKmMgwa0wschGiReddQAloJGH3evwdvFgFuldzClqw2JhEhR82xGGU8JSI5Y0NapYFjEltu4JtcS00YutMLafMy7s\
            ITr0vUI72t831pfBSNSKQFiW87i1c8TLu3VvJywsTSOUqaF5hYFFMoKbmzpTGgJbT4qb_oKW5M4o7n8DpDac1rG_rbPG7TBWdCcaJ_Arg3\
            mn6lOq2Oxa4o4RLmyQBwjBF4_w3g0eR3_rZ6_kUSTR-zndRpEN3zq934EOYFHLM0w4dfqty4Bu9HhnsvCiQf8GsULhd1I9gbvOUGNFTJht\
            Dz2QS7KaO7F5oZt-C14SFm4P__wP91wMSf5WvIH84fYC6eYp2O1TZDe2yNVr2BNtV3e_MsK_bHID_3Ylg1_HbQeHORFyF8QZ15SXdCvJJF\
            6CdRnMXTla-3INNBxCz8JzskJX5dEgAA
            """)
}
