// Made from Console/Web/figures.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let figuresScript = WebFile(
        name: "figures.js",
        content: """
            H4sIAAAAAAACA41YW2_TSBR-76-YtQDZJbgp2kVLS0EVogvaZYtaEA9RVCbOuDH4EjzjhqjKf9_vnJmxnUvbfapz5sy5fHOuPTgQZ9l1Uy\
            stqhtVC5MV6kgsZtIIM1NiKlVRlWImtdCqNEJXIpX1QMhyyufJTNZG4xP8ssZvmSdNLo2airSuCpGZeG8vK-ZVbcStmCyN0gORVMVcJkas\
            LE8QH8zltYq_6-B4b0_9YuakKrURn8__fvfvpTgRoyCRyUxNg4EIiqyE_GB8vGeZzk4__PPl4h2xlWohLpUJR3tCBDq7LrPy-qop5Y3Mcj\
            nJFV2XzTQzm0TYnav6CiqSH5tnpqquClkur6CuVInJoJUFlXqBO3ICMKqSbNsbR_DgYH9ffAY2uYRxlmnAYM1zmRDOKWDR8DBvilJ3WGpZ\
            zHN7Tj8XGcQuYrF_sI6JNoAXvt7icYw8EmWT5wMv7UjcrgZe0pEYjQfEXwMvz5jpT7LR9DuVuVYDetszeNtSxGrzFWqrMIzjuJSF0pE4eS\
            3CiUqrGvdlashBrcA8tWe6KULmbE8tcyQOPJ9_vFzdqJyEE_8OwUy6kXmjQieKGY_XLWQGkmI9d0xsChNGDFrsQBrR6Xgs3rwRQ2_HdV0t\
            zMwbsmU3JH2UZhYX8lc4HOwwSDxzRG89UzftBDBehd6lgw_iWk2bRIWhqYzMe77wb_HU2brT0IEYRt6leV0hggtNGmWSqLnh10FqnE--I4\
            7jH2qpwzVkojjNcsgLu-egj5hjSH_NoDVwYuMgEk-eCCc4tGx5Brv_jKJ-GhRZnmfu1RHUZpaVqC9ZMkOUZygrM6obLuZr9bNRGsmxQMGx\
            qaOmx_6WFJMm-aG4Mi253FAlqOcVFxzOlLQpOUHFz0aWBlEdsvxI3MLtWpmmLncFGJ0K90aTqiFLT2yixZRk8bRBDkDslT087rEnoBhit0\
            dAskykCT-UaVZmZhkhZOZheIXEK6fqV5seo29eZvzolo9W38abrxn1FaFCQYtVtxkiTF2LEabYaCARWYoYIAEnJ6B5JKgi2PMcqE5UXi2g\
            YmhJsECERGfrmO4-X3lfc1Vem5knPz0Rh5GD0mq0Ep0xesRsY_H6xD36PvnU3fCOWiucVrJXIE_FkVNqpSDdDsfH7UX_slZd2OccgxXkCN\
            rCnlpQ2ToqSWvmEeFwOBx64Sv31_lyss5tuSyPM8Jhgxh4dtgXhrK62usCdJaZSzJnMxoJDYvDCCxUJfJ8TB2Qo8a3wfF24q-d99rkJifb\
            7GxtQwIQUzAAZZgLhEg1bJcUH7DaFRRVJzQEoJ5wreOA-_bo1vVzR1yJx982O8jb96cXn7mPQ7d9b5OZHJNGcOFSHiY3SBhQoMZ1CdAk4C\
            TiqSsGXYmYLAWOoBtNmiVqVWfU9ELbRnxYfa5-KGqM1MWohdmZAoBdqNQ2Qn_iC2YYJtXUevebHy5itElLjqKBk-zb5j33d14X5yhgtbsX\
            -DIXOLkr_rsabCFlHXkAp6-QrFAFiJUGLcUz1v0IBWc0hvE4R9ETeMtcLMHg4BKzFMAn4e2xZtoV03o8eJe_quo632KsMUoalS8fdhQzKF\
            xwDaBzuN9Jei631vPARTMmtRPpI4UkUTS30tK8qoD-MP5jNyoieC_zlPuLbTxwpG0nuEW-vnwpHt_J8fJldLdzbwlUzq_Oscfc__zzer_s\
            e9vZulRqCmzLShCYEslLo6mp5pywAyrWhcQll6J3Obb10L4K3WPv2tDrDK7mquxZ2uMhtPktMm1UqWrNfUTO57pD_nBo7cuzgqSF1GLZRO\
            61TOU-6mUOtj05hwFHdnhEnPZMvA_5T182IMfUTlMShnJd1T1_vkAfj-V6CS-AWHWtKGXXXNiN-b0-tbo0jU53nBy0-Gy_H1zgDQ0v99D8\
            jVYwb7arfzeBs6K70fqIbK2XHWDYELMp3OzBdOFIomBeP8TZnbGH1Qvx6pV4DsQmUkP08w46uxA-DJxVsCMOvAltLFjO-8KAyz4WnfVCim\
            7ZGLXmHHcHDoOUC_1a64GjWS2oou-srbVVcsnE0Jsy7o3FadVAa4X6lLLc0rC0jfXPbofUpisKQN2G4vq0u6GuP0SkWa0xCFJttGMET7Vu\
            QxwN7YLYUdzcwkOClZDSPIObLAhzQtfl7MBZo-fbIbfdGUZ2NeEw5F3L6h9YGdG4WzNGbnYdu81E2J_iNU2ptL-SHWxBjOQwYYiUHVgsWB\
            N_jQ5pyMMJPqLOcDzrR37VduV6cHF9QbPP_9pe7YBrLbNj8MZsjWw9xbPxmwZHnTHhLvwimg693djuaJ9wXvNKhdz53YFsAe1gbpcu7AT8\
            DwZoDYMrmgAFteVOsbtpIdqy_jU0sOp43ugZysdpG3RBX0rfrB022bXX6nBIuG2T5pB3peEIJT0RTZb_AVZfTf5_EgAA
            """)
}
