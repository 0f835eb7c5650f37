// Made from Console/Web/playground.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let playgroundScript = WebFile(
        name: "playground.js",
        content: """
            H4sIAAAAAAACA61a-2_bRhL-PX_FludcyISiLBd9wIbPcByncfOE7TZ3UASLFlcSY4pUyZUdQ9D_ft_M7pJLSU4CtC1aU_uYnZ3HNw-y2x\
            WXUynmWXw_KYtFnohiLBRGEjkr9kWRS1HKvxayUqFIVSXivLqTJf4kQhU3Mg_58W4aKzGN53OZVyKXX1T06FE6mxelEkssyEF4JENxHScT\
            _BkV8_vnC6UK7E4WZaxSehqneRKKSXpLRGfxDRbOS6nUfShu0yq9zqRYiXFZzIQXdefxREafK--gOebDm-PLl-_P3144y6o8BU-q0ksfjY\
            q8UuL12bsXF-JQLB8JQSOLmSz3Rd87TxO62Xyur63KdO6FwqO_Zy_o6dIZ6fS8QQgCSQmGefsLfmr238ppOsokbTCPmsqfG-OW1iJX5aJS\
            MrlKZEbE7q8c8mbInPik2nqS3fine2K9tV6IwwSOj3McjWc-_W-dzVYQCxVXNw-woY_cZGWdjfp4VzUX03Q-k7kSpHd98DwuRzLT6ohHN2\
            k-sUrSv0Sa0E-9zEqY-Lu6jtVoSlSfY6WQebIvKokj44znK6aJh7MX_HhJYyGWgFQMAYnre5jNbBbXCzu9kP_s0SGrA2NmZIvHl9bQquRm\
            X3i_FcUkk5DfxV06Viy099ef5Ujhyp0TUcWzeSYrFlaRQxOzmLjz3ucd_UxyBy_nMh4p8S6mbaF4mcGXZMm7srhSV7M0g5C8N3ju0DPv4u\
            nP8W1cjWC-CvPHuYgXanpJbvxSQiaGBs4pi5TOJWQ41r9EUowWpAL2VtxA8-rxhR9lUgEmxqWsprhvvsgyIjRalCUpzRmZFpXMMeBhLiOX\
            7HbFRwKPtDKTQI4x0IJOoZF0JP2gdlUloNoE-wksfI9-eEF0G2cLqQ1sXJSzWNUL9E-75KCmAkCDDR6KPm_qMyL0idqg3xuEdnNaQoBpfc\
            KATJRopGPhaz4OD8n8tvqNF-hTovmimvp9Y1GeJV5JcJK41ANL2tzhByIOs1knZO4UmrvqffpaKi4nkm4_7DI4H-0s9dZZPPf9fh7PYC7m\
            NHH4HzHcWdLY6nBnKfNRkUifJ4PVMIg-F2nue__28KM5IK2MR-MMkkAE76k-pmrqe_bWDjfEApm_Nv5m7xFA8PTV2cmb06vL969P3129Pv\
            2fJ8jezs8-OENhywk-39Gla-N0yLESRY2sF7K8hdmwXTPZ9sBK9I3kxBE4YS69hmv5ZZ6ybSyZLLO-FCQmYpB5O_3vh7Pz48uz9-_A0CJP\
            yZm0PiuQ14bocF7vZtLsP5fpDBEVHtQQgKNm6ToVx523ULlSlszVrPoGJdfz26RkdZZfmNU1jUyOVb23lnkjBxLaKUvq7ddPbqRNIkY8X5\
            Q56NxwsNf2iu1lto-04U78cf7GH0Y7Sz2xGoYiK0Z812gKfImqeZYqv9s_-tegG_R3BwEPhzYVMboDIq2ALE-fig8S6J-rjrbuSiikJiGy\
            FQANKCOKVICoYgJYR9pS0PFiFOdiWmRJJJ52DZLr3TAJn_az5-ihP87PTgrkHznO4LlIFR9llr3EjWVyFAG5YGI8UUqkWMCy7qf58sIeuu\
            pOFoghnxbL8XicrLwggIzs0uMs873HeycUZUKghDv8hAYf7_1C7tbAZTUt7k42IbMGXQunpAmNQia1A3Vi8qTIlcbr4W-nl2JnaRDZaEO8\
            urz80O1FvU_5q6KCvneWjXYwoIGiQebONM03SWusNZQ15O4Omo3aWLZvHSLuUfilk0107W_D-YHLiUbxLL5GsvAdvOw5vGhLxq5pmiRWgn\
            apxueHwJ-IsDoIVANtjzrTdhJoyqfZchHz4uo-H4lalQgWLR0aRa0pUc9dy0lMzM1lyXJAqh3lxZ27BE4OK63IhuO7OFViTPHeN1Qj-F8I\
            pxzFyAHgxnnRqVRRSriwC-cQXb3fEmSBuieZ6zHqI1dYVPvNWj2A5N6Bif1NtkVHXyk07mrvvjrgLPWeSwo6BVl9QRf__eL9uwjZWSW1gx\
            4AdUaU5G2spDwEs5zk8LiNUTWPxQ3Ck7PpKOpbKfHaAQIKqiQJC5GJjdgtYmQX9YrAhBEtHC5uSIYN_Zq6xq6IAJZNsGbR5FXHSgvVik3T\
            eip6u7u76yI1RRSB-L54AaAxgn3W2kXYbE43EdQyQXDOQ8zJqgFuzRKb85rBAiCMwWrfoUIgiJK0ilG4UcYGT5G1ArVM6vRQ2xTbvL46uc\
            4xn-WbVWZCr6RpDkHrs6bStMNWva5GKPsgP7RWdRdXlLouKplEOgnBpN43xVRckkNjio-o7WrtAmxXPGZI2YsYYfBVGgw_maZZgq0-lblI\
            ndJbj_0P4b5i_1OSamUKoUIvqVRZ5BNahSHvXWGNQ3hBaNOfs6ou3OF7MAhRLvIcpdARAotV5APaGcdZJQ_W5sdI-SuDXq0gY1RjXbxtfq\
            Egu7bOqyW5ck1Db9oiDW4P-A_ojOUB4UyKIjHVJNJXTWsl0hwxweUCqn-ZfoEiesFKzKph4ES9b6hjXsqWOthnPMpWrrFdftkXu6QYDSmH\
            Wvng0DQpTI6wzxzqBoZPS4NAC9Jg9j2lHG5G8Qci3q_HZRnfR9S98GNVXPtu6sCBv0OB_9laNnBFg10oORT-aIoqdYRykIhyxWV-R_RE4e\
            hY-bvEi2YkkZTIJC1WHDylpOwS4y94Wel7CzXu_MriGccqRtpGfg39RpqQzxfTpIJWclI7hraEogSvuqbgllNfJ-IIPJJ7LAb19G9UK6y5\
            NHFisQWUdt25DZsauFjaTLEBVWOaBONbLC-wyNfya804JKRIhzqE69TUi9wKqD9FwiLLkEwpnVUDqjiNwH3eTSlsKNpDvUEwaEiMiqxYlK\
            wgno7GWazeUjlHP0PBFsla6_Oj-A-sE-6iscwz-AFyXjWPc9euh0Sgs7PU256J3mpIZk2jQauopCKDOPdSLjupavAGuqSkaGUMTdTVJNXy\
            eITlUOjx9d25-ByYyIM8rHiD1BG1mioBUL4Hzf_23HMKT5zjeKwu0jYdls_9bq8FzbhMY5MM2jKGUdaK2aDpdlwuizuz2PYvfZ9Fb4zKsl\
            mD9prEvb8WKcrzahZnWV1cQW6vWlbCqWGVTnIgWykjiJI1sIqAYV_jjg3QIdtaVQeS6Y82iOhTG263CpDNodPbRD-DbOYsIbSlB0Hwvcef\
            8GW_6_i9bx-vRRcEbRHNmSK3spCUJ-mI7LelDEpx1-1MY46DNLZWchDJnV0LnZM4zTtYucjUFosN2pBV45D2t0XeSqb7uky-K8qEGpBUto\
            zkoE6YcKd0fK9hI7QacMoXa0MPhtqGvCsEK6rNXawT3zJiAhrV2X8SJ6nUCUh9LkVlGriG41Rk4CwbghRKU2LkKdRI_P3ja9xNcb29Btzm\
            gmswGjYnDELuJSQuiv8wyYrrOLucplU0Ku_nqjiKqsW1ymQN5n0CRkqzEB7l6EbahMJ7rjmtzMnNQZUo8uxexIobEhmVu6Ho7f0S7eLfnk\
            A0K6j5P1VqXkWebRRqLYJDeV8hd7R6890azGtevXRpHVcF3kPlWMDTro18vruhZhztZPX5eGRQwt-IREPxDH_r9iJv2Brj-pxkQTKL_AYF\
            Q04k8HNIGbHREufEeUEzACab8hB54JNz5zibFGWqpjMuWkzX6Pzi-OLiuPPh9clFr3Pbu_oJxEFvSi26V8edvZ9-9nSRZ1q98r4WmVak0W\
            Ok3_m8lve-h9uACv4fNmeG2idDXEjr0XPjWVqdp5OpeoC0MTmHFtgIdb7m1-YA1LKZ0WmuM6MgMi1UGwu10a6inaU225XJQY2wLRtH4FLn\
            tKLxWG1_aW2YgpSAsGo8qZ5e87c7cMxDW9Rj3-tZdxvqAs8kqrXq76jOaEjyCxBDsE1AJLAtciFai4nU9jK8QbtgMKhW-2cNfiZ1tubXaI\
            jqVqjnbaymSDO--Ajc_DySaebX-ztOZRuIrk4sHBjjcxOY8WYfaWfJ9MZZUZQ-n9YVP-8Gq_2dpUlIePAxDSIRTi4UINbfgyx2bT987YwO\
            1WwbBzEVTsg0vGBxmrEQ4_mc0tJFllDZq4ExEk3pSY1fZAICIR1WSb3KCVL4uj7dth3KuIu8bfkvlhzTinaBTiPbS_S6Z4QQVoe_dlxbq-\
            R5Q-42iJxinpSe6-bolvx6aQxcU_6nKuRzU9FTfaybHpoFQs86aThC0aJiaOToSL-0rssWml0JCRBh7k2hf-TcoLnQ37kCO_5Dd7gAahqf\
            csp8QMEZQIvm-C03WRNHCl0DM19fKYT3yWen9H6UGh_kuySlyzog8xBZHuEbdcjvprixKgprikAB6ltmKcIX8lJK9snMDZ7QP1aArdJMF7\
            JOslML2Epvs-dj9tXk1ps_rcl_WPjvcP0HZI8bU_m6s7TfLnwDk1YHgnLGSuxxav8j3wBCjIa1qW20lv5Zb_j7_aJNsNiW9q71jEzHm6Ji\
            tP6agvviDhzRog38tAGs_rTD9OoHvu2CB-1OyKdPi2W8oqD1KffcfgvKB6ph9cv2iLKlhmjQrmWNBK-5wCMJEtTdzymBsWMUxQt-xw66_J\
            NqjCF-dEwNPKRBXW2CASgjq6jgpFt2UBXShwsEtFk6utkXuoisZAbeNBs0CSYpsmBa3lKLk9a04DbWdfn2O1kts2zIkWh1xCXU-7E-5GAT\
            u5fiuESKwZnJvtn7TPRCPfyG-8l6tCN6mNFUM5lP1DQUrwpK8xCtT-m1pzsnOrUH9ajtzDcilgftELE9MdVr9B4UfvT3hRzHcJC6X9zIru\
            ozocet8wduO9boSZsSdRxqmxVUPcNhWDztV2uOcvRrGftSjYYO2h0t0OdkCTZngwOeIyRNxwrpBawI9sW2oclSmscrTLbeMiTDOU3jvzNu\
            1hw-uBrp5C6ShE6v7b-O3QXb-OCOCPz6mvP9jePX3mS1Pr7gj74SP4oi1xD5zZpxLFroOFYxJ4kygPHbun39TQfEzl8UrDU2H3mALI7Ja2\
            _6tp9rXguak_Xir55tPrZY2c8p3PPJhbm32maB9NpigBVtZ817hY5KES1p2VhRRFtvGQ3pAxjxhM2QkYxewq2eDEP9aYz-wogEXBNmHX6D\
            6leAMhQGY2uCVoFJckou9SZFlMqpxzuaxkg3cXG_Bp3tX8TUr1A3P8cZ9H8c1KZTv7Kk94lbWr813VA4H8bgh9G22__dZDfN5wtq7DRHta\
            xl6xVR7c1S2uSC61cghl9vHfD70Ha82yI9AnX6UsVk3dhi0EN_9ES_W0KBP54h4pWQm88FRajzhoNH_we__jC_nSkAAA
            """)
}
