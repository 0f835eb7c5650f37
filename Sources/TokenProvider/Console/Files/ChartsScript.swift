// Made from Console/Web/charts.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let chartsScript = WebFile(
        name: "charts.js",
        content: """
            H4sIAAAAAAACA5VZW2_b2BF-96-YMMaWdChacpxFIq9i5LpZwNkskrQoKggQJR1JTChSJSlbqlZAH_vc_sP9JZ3LIXkOJSVeP1jkuczMmc\
            s3M4fn53ATJQrG8zArcogS-PS3n7tQzNUG8nBDD1EGqyQqfAiTCYRwG8YrhSMTldEsLNMoKfA5zWDE6yHMsvQOvqpNHpycRItlmhWwhXGc\
            jr_6ME4Xy3CM1CZZeOfDIvyqYAfTLF2AE5wvw5kKvuTO1cnJOE3yAl6_-PTuzSfoQd9xfHB-hEv6uZCfThsewwU85md44gyu9K6bN28_45\
            4nF_4JwMdffn5Hb0_p5fOH38rHlx8-f_7wHt8u2sju_OwMPqPwcZjNFJKQY6ZTOdE6yvH8BcQqxLnhNE7TbNiFjo_s8eBPoIgWKkftLNM7\
            0gVuU4lPU-bQXRrA2fnJdJWMiyhNYKyiOEpmLvPygan6MApz5cEWJZTDCM8evA-LebAI19Zy76paJ3x6vB_wNLyeF7n8GKczl2l5cA7VCH\
            NjKpkqVlkCfTqUD0986LQHyG_punmhlh70ngM9wJlw8oJplEyak897Wt4zaAfPnj3z4PpaRq5Odicnas3eMI7DPIdX5HN80IfsRDmZeUCi\
            PMxVFinjfbzK8pQOl6zimEfukDl6Ga5oo6SyKo4WUVEtwhEy6nCaZouwGLKr5aUD_yVHC62Lq9KWEOVsaRG-SJe26Yc4MsS902itJpAmig\
            2pNZ-txgUqeRmHYzTLFn2hiPFBB80oXeGPCIGyVf7PfHGgIxanJzwJcZYDwE6cAODD6IsaFwGqLJolbjEngRpchLzlQkJrx6YFoF3BMk5J\
            BFKE60yiW4wb4QBikS44tMTx9WARjlDLat2FdjmUpbHCZXkcYfxXC50wi8JWHI5U7HRheLpl4XY-nG5Jvl0ALypMgEV6qwhoKGSCoU2Cbb\
            OIEsdgac6E6yMzSXp3ZIbMjFNOksIkLELYqPqAGrtIoi646lYlBbsya0ucUo82dqDrJX9uBzoWMzFWE1uXTF2tHcWr7HtrUIdHuOOMxduy\
            faxmCvG7tP4qJuNXZpdZx95CBqo25MswsbbkixCd9J-rSBXor4uRynLc75Oi7xxNhkMiCJdLJO4KnWk0W2XKojQOs4kkICKgjymr5ypkP4\
            Ptzi-HHjuV-3clvIitDocjwoqYLLLBA2BYeujQ8_z61JWyq7DxTS16-niJuoOPKo_-pT6MELFuVeaatssUJUnX84JUpt2KHBPYVRAl8IcA\
            kykYbkkCX2Aq3w0pVNIMCflV8l0izmuERAhhtCsTUMahtYjiOMoVotMk10i1WqL3K1c4-Xq7DwKjPpjQWeKOpJUov5H8I4cqkbinUer33-\
            2J5z0zFkhjyayYQws6orNoCu4DoenV6MOctL-Z2_sm7cE1G-fK2sQAhbs0O8pJv9CQK0dlc_CTuDOJRwa-Mg1cpxeh9hO04VqO15UhWb4D\
            FSNS0xGsfQ96tuL2yB7RxY7_980Daz97WNpH3koryRvbakCp75vWHBihXPli5XcWVmm52TYHrOfp2uDKcItRui5tRQ4dzFTxMsWqEOuZV3\
            GERD9iznI9c0s-J_fsaeAKxrzs76gOpIWcpgU-UuVG9YlLY3fRhNXF5VxLCjmLouUxcvh-ewCPNKuz0k56qjNAKo3Fml6M8DBS7OdtU2-l\
            W6XZm3A8107li1Owb5UWJ91xURWOctdwuJb4G_pUNWs5ODEdWEu9UhDT80xclqRAiwxz1uBvRW9sxu4RN5SVXII3opxqNy7dDCNilUeF2V\
            ZS-g2arSt7W1TK8OBrzk-NwY_RbF4ufVSN_nVpDGlV_oZNgDmO1SgN2VRx8F26UJTz4U0y6cpJdzXIiJOhWhirnDf5OFwqp3TlvfRqoJOx\
            FbGUD-wRzjEHxAY7HGTxMuPf12oaruLK7w0mUr1HiUtU_LqYR_GZQ79iOvA8w668WcxhhqkBw6bFbNEaKCQP30aFcsRyoj8V6yRdHbw_Qe\
            cQevR51gfsLtErGMuqPT7jgZ4xN0lGbHrzNA6L99SlNPFellObEmP95f7KNUoQ5W8jTPjKwpFFandYaJQgKAnYEJbe5Tc6VxpoXKUA-OEH\
            a_ynnhA_g0sLuLjMl3oDHzHOyl7Q4HBdC0Q0LPj3MDMZg7ru52fu6ExmZDxXUAiVw2D6SAYOwCFh7_dBk6DVRmcdu_sYvSHurEpmTw04cu\
            _gxiokdEOLmiD2_IP0xQNwHW1p6XbdtsbtDInTRQKWfLczrvhuI3X3MsWWZdjGLH66ZSl3-CDkdkNfNwfzaDJR1Gg42MCpRun7MFyr3EWa\
            Pqx92LBslF4NpzXcvbaZRzKVBa8Ihla1y122H46sO13WHT5ddKHUJisQWeLkxjUNXqLj5qI5g6Jbsks1UOesJKR6sk5Z5d5EmSeU-T1vT7\
            5VkZHjHkktA1s9SR0Ye0WTRskw-yry8PpSrD1lS1SWnAgA2we0zl2fqXW1WBYb0nqp6nO65dh0NQN6rZz4KfoIEWiFyXieZuQjC_SWWEmD\
            86vRSXrN_jrIFHc9r-ZRPEE0pSPZ1gk3ohEDde_hbRqQ0agI_kY5lU75BqQd0IXNoFlSsyglsmWE2S76TkqXOLwdi41HtLcsh7_vvdkqVv\
            dxXn0bQt4qQuy8uu1q2GjdLUu8p2wS2fAILvftIF1qiXp862GeBycwmL3SKrumzhBtVgW1Tai1Dl9x8U1X-6ji1gfAsCRyBj-28c87qjzz\
            gKU-KodrHTheSZm9GvFfjmuPd57AdaVIvuvIC26dLS-tVuyRpPYc1w7_-M9_T7d6dkfLhqbWxC8PY4RVG2SrhO_pNMP-gB909BuaZ4CQS7\
            UaL5pal_a2ZyXwPjMdXBl19oNGLtfpxWNhguUqn7v9QWUW7tl4Bn2l1fFkwfB0uzbqdA_z8Fu63HM7HmWLjaZpDg-PeRUSp5MxD11tuPjC\
            YIu_JVY9R6Ta87OQQAyG70-3tPILCuQ6N463k3cD5TpkvHnQYUM7u6GpEN0Es4kRZy2enZplVX1No4xKBypFufbCDZjVg3wZR4XrgOPhm8\
            9ktMqsmcoWB1yezmPhBQYlXZvGcauD4xO-HaRFu5vTLfEXZbc9emexqoF_DOvEVir9HhyH5LS6I26dbkU12EVQ5kf2tNynmMnSr6o1CQk2\
            snCDwSefGrS71azraKgzlO4CrQxlRUUNH4aLCb3vQ6wkSA2yGjfWFzWE4CiWRIKtFZjorxmV2GYI1aWArrQOt6_HompP4nGUjWNL5uEkLc\
            TKDY2PK-irfXBDBYwQRyfrwqWhbCMpUqLUNb2pWkLMugnQtQ5_pmjWOX0ZEOTBsGie7wDKeCAFjRa2zDAHV6Kl_vj3_ywtHPa6ezibgKZR\
            5RzqLTw5uwY450bXkVYqNAvGvZoTdnss5EIzGOtqpYQNYinM9ABd8_F7jk2367JqB3tFZYOaPl5l-XqiMwiI3Ks0KbB9lBOGfPdh3aBpes\
            2SCnszEYbNrs1Mt16JGrAwcgscR3Jx3Cg79joFhzqFi0t46hztDXxogA2KQOwYUpz3bbh8d3FJPYRR5By5ipavJESST3z0ylpyYX2z7jWq\
            GtFAFdl9n0csm2y_ZZX6_cI2Rk9_Gdv7FtBYVcXVwbIeA4m_-JoACF0pP672L6jM1vtIR7FXaeeqeFEUWTTCEsZtfCWS5HbvLSSVf_Du69\
            4kdLEnWikrNEx2e1rYdTHD7fsvW4_NhptoaKeXYd2h6wJ0T6xCoPExS0Pm7uT_u9Hm4MwfAAA
            """)
}
