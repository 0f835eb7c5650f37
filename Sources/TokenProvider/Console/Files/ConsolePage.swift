// Made from Console/Web/console.html: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let consolePage = WebFile(
        name: "console.html",
        content: """
            H4sIAAAAAAACA61Y3W7bNhS-71Nw2m1sNwUK7EJWEQTdlq0oiibDrmnp2OJMiRpJOXWv9jR7hd3vUfYk-_ij3zhxuhUIQok6hzznO_9Ovy\
            lUbo8NsdJWMnuRuoVJXu_WCdWJ2yBeYKnIcpaXXBuy66S128V3Sbdd84rWyUHQfaO0TViuaks1yO5FYct1QQeR08K_XDBRCyu4XJicS1pf\
            ukOssJKya1UbJYn9_Rezak_1otHqIArS6SoQvEilqPdMk1wnAnckrNS0XSfcQCazcltLc9glE0Jjj5JMSWRn5P7DMjfG0Ztci8YyB8Q6qV\
            TRSkqY0XlPnQfhlr-BPF0FcvCtIjobVRyxACEJBty6F01337cVF0DyFltQrAMnXfEILumOa8M1hGEsLcSh29tqgOt3p_u1305FtZvI2YPA\
            uIQBIiNYy8tsiipLTcPrXuCKS8l-b4XDSRSwJmkjgLHTFnRYcEKQYgUx4mPND4xrwReSbxzat5RbcJnh3lZ2j3iRIgNGERZjuW1BeetXh0\
            e6AsEj1M71LKiv_XqOGv9bwyXoP8ancxz0qZHeTm_Dwzl6UZsGyibZTXg4K7-qt2LXam49qtfj1zlvuupQS1dA-KHxpTg443sDOmPF92ip\
            TWutqqMzh5ekt7MUVTBww1sDpg9uSVeBLOttGx-Cg5N2kQ5Qpk7pj_HOzSzfiLqgT-tkcRlc2ARPGHmHpGJzdAEZzB6UKl91Z7a1IWQcf-\
            jcNcpXDzHIuS6YaauK62Pkii9Z2nREwaGzd4oXot7988ef6arJxg7cyv68kvK9CSfF56wzBJAN6jytmiVdmYVPVr1-AT6npzt4QgFPE5oM\
            q-mT9TrO5R6x1Mp6CzvpO5OcQgQ0g0qedXRKVGhEIYxpEeiBpnuJVIMrPEv5LkBP6t19fMeNZZevWSXq1tLIsmCZG-2DErVlHH--7tgLpj\
            Tbqrw1TGCzLhg8l9mSIItW92xPR7N0CMXIeQymnRZFDAGprFf3yzQdkstJXYfP7zh0tEz3KegJbe-gh3TovH4JnaC1U0wqZPdS3RumamKb\
            o1uW7KYw-KL2jBtHdWSFQlXtGJ4DQYidXCspk0FmKsaB_DJh-E7u286lrEmev-MbVGq1ZYOyT6P4UIaSywONCsVW6Woqn-X5PogXk_PC0S\
            QPDdLn7iH3zmwyz-7wqYJyYXzyHaxy0jK_qlYWQFcYhpZFonLuKJjHF9QL74qwzX0p8pJptA5v2HsVPjIwVZBkMMpDwwTtBckCFXwiiaQd\
            1UV27W9FgQivY4qxTUuFLqtLYJ7FJGNid6ADDU1D3bRds6ORGVUSW7jAlrADly1evQooHS4bUpGxO68SovDqw40LN4jkD_xfl4RGhr3H4h\
            wKFe2rno6Icaej79JUoO8SPhAfnDyqCeH1oUE82AO4i4BOFiRCYtIdYNn101f1DlYiwcX07Fsz_57dgtU1it7jCk4VcpCq5XEJLbBX75xT\
            IdB3VEzdCkdblBKuiQ-HxnApyPWsm1inhtsYb63KVdVIsoBLbbfoextEljc6Kj108IWnOzmbIzVDxZuTlaIAAhNsYNHwMZvZFylCIkn4Qw\
            Yil0Xc9sn7ujbE2yiZR8T0WqSzJPsZ_513ec1PXuzJHrt0pOZWaGOnVvdbCxSV7KY47bTBW3t2R_ts4B8TBIlVQeZTUIdPXqI7bvYonI3L\
            wVyek25g_G_iPWErVOikb03jXjVtuOc96EzhmMNdlQqFqesSJwyIXBSJZ1WV2MI_VlX6Dv_RqjKfAVBVooOdKyklyoUvK99LTKbsbb2DYq\
            GYErqbN8y1AzH2QzPa9TwIfHSMIRGcrSrzYGjQYJDzinEYnElNgSfmpquh5rGr1pZKi89-hGHh7gvXrLUa_aVCL-5iTjtSXpt70k9nqyjb\
            iXQ1luDr5KuzPtkPdZ1PnpypfNqT5Kb2a7ecdeHoMF_gwl_chU_HzEc6Px8Dw08Ds179yUnVjSkzR0uLfp7Y8tx2LUjkI59XCzlQP2KAh9\
            hqkhjc3Azv1h7dAdfxLxgxtD5CNN8Ws62QGK74Dga9cK3y7c0PP_7yAc0ymSW72mIigl-O3JEwRWjP2Wg6CIU5YwKFg81PGPH3kLHFOgMH\
            ic_Zt6O-58IijCefTxk8XTmvxNqcHJa5OHEfIi2tVfyhamDcSF7v3bSBHqLhO8LwScDrJ37gt5526VOPcd1YMB8g1OTGsBWiqTh-9lloVZ\
            HVIg_zVrrqL4Ko8aewVfg98V9V4ZDjYBQAAA
            """)
}
