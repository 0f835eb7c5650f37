// Made from Console/Web/snippets.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let snippetsScript = WebFile(
        name: "snippets.js",
        content: """
            H4sIAAAAAAACA6VW23LbNhB951dsOJoRqCi089QpPe5YsZNx4uuYavtgqREsriwkFKgAoBVVo3_vAiCtS-XYafUiEtw9u9g9B4u9PeiOEY\
            ZFhmDG3ADXXzWMCkVvtDwuNEowxVeUbbibwzTnhj5OYjjOBUqT8sk0Rx1PMhhz7X0Ku2TowVnoOAiGhdQGvpWFwQwOgRn8biI4_A0-pVeX\
            sTZKyHsxmvv1g8qcciHTUgrTtvlMtPNwT7d2tV8b6jHm-QbsoNlY2JdYISU8xE6es7AZtiFs9nrNZhgtm4ODIMDv00IZ8CjX553uh6ubi5\
            SQFgHAsFR5AmwB9A9LD2vX4M0phJ3SjAsl_uZGFDKBd8gVKmh8PPncvTp7fxlCY-GyYuQQLQftgADTmRiZGrFd15RyEGpeB6BSlEMDHaln\
            qBI4QeoLv8sRFkAlJVTntUwgdTVr04oHiCWfIK2fFKU1XwbBA1eg8FuJ2tbx95vzG__C3L7onfm6J4ThO-OTjV5FQeUXazR_8LxEFlY77P\
            WYyLo2hyh0XTntdq9PkWeoPgjMs2SrNGEU2LxZxg1vw2faJBjaLZ9xYWwOKWpNZrEeE3wWWzNGqEmduXfnrhyVr6WMqwsqFsWZe2K-YJRv\
            PqK0VDFJwGJ5d4UjhXrcsXVoLLhhVck8tWyvNaHITCcwOOEGmRET_CgNqgeep0IO8e2vv-wnVRrxZskjai7AROS5-B8osAdv9_f3PViOli\
            dPgFwWsx9ksoyWwd4enCFOV0aeM1BKI_JVMdpWrNLKHfg9FzL2LA2v7r7g0IgHfHMcPsPWy_SiNJaeK3ZB65FzBAZwu8umMvlTmDGtJmRD\
            f5YOdsUzOznaZGWf1H5bQ9e0TG6PamKG4Nn8bt6ZTlFm9FgBVXzt72Lr0RZbbRCfzSYxqzfHqS5VzOZZbSapknK7rY4-Mj3lMstJwn-xy5\
            QayaHlJeDAb1BP6cxBWyz_ZD-8V4pO3Rbav8jR0v7EyKsHDg9Bijyi4plSyYPqM6GLoQ3IqS2tR6HQJqxOUlSC59XunHJ8d23-NqvEIRdT\
            -1kn--BiJxSmv8L3ZYSWYwBB-xhU-ZpY4Zpxd42uP6W72zXYdVKHfcjckeYa3t8lthe6VhJbV5hrDdpTB-OdaoXX8PLESHt1IWoJ2nHo67\
            YlPmBV_qBtLLDBon8p0qEt--Smywn2D7xCzwqTC_mMNG397bByJz_b0NLGUGzYodjrNWgkRoF1oqwkOkaRL5nHBcnp-HGRRZQfnBozJdzV\
            crBys0Oj0sa1Imdl5mxLZhSynpiVOkMf_JG_K6qyNWQhp6UhPiKfxHflaIQkzRsnZ2Z3xbMuzXwWeaxNvsb3aDyT2Yq43vBnaLoCOy881A\
            YnImitSLZF0-dc14mZzrXBSUzXDUU3KCuqCwdG1X8NL89hfRr8gIpPRYueGBGf-ANPh0pMn7vN-ItVfcbZXri5P0IzHG9ycukLPXbNpGot\
            YOuG1RvUN5DGouLMsjeApd3kQWAPyVd1nLj4GlHiqpiBxBm4Y5UxH_rR5ou2XI5ie3tY3Thr-u00rq3-A1-2hv2zJNm0374UxLKYrTPhKX\
            R3IL3wNgCsRt7ZdQL6B24O8jIpDAAA
            """)
}
