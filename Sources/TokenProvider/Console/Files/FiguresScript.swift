// Made from Console/Web/figures.js: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let figuresScript = WebFile(
        name: "figures.js",
        content: """
            H4sIAAAAAAACA41YbU_bSBD-zq_Ys9rKbl0TqrvqCoUKVeVa3fWogKofoohunDVx8UvqXZNGKP_9npndjZ0Q4D7hzM7OPPOy88LurjjJr9\
            pGaVHfqEaYvFT7Yj6VRpipEhOpyroSU6mFVpURuhaZbGIhqwmfp1PZGI1P8MsGv2WRtoU0aiKypi5FbpKdnbyc1Y0Rt2K8MErHIq3LmUxN\
            LK6aup2BdWmZg2R3Jq9U8kMHBzs76hffSutKG3Fx-veHf8_FoRgGqUynahLEIijzCoqC0cGOZTo5_vTP17MPxFapuThXJhzuCBHo_KrKq6\
            vLtpI3Mi_kuFB0XbaT3GwSYUChmkuoSK83z0xdX5ayWlxCXaVSk0MrC6r0HHfkGF6pK8K2M4pgwe7z5-ICTiokwFmmmL02K2RKDs_gHw0L\
            i7asdOdULctZYc_p5zyH2Hkinu-u-0Qb-Bm23iJKRu6Lqi2K2EvbF7fL2EvaF8NRTPwN_OUZc_1Ftpp-Z7LQKqYgn8DaFUUsN6PQWIVhki\
            SVLJWOxOGRCMcqqxvcl5khA7UC88Se6bYMmXN1apkjsev5fPAKdaMKEk78WwQz6UYWrQqdKGY8WEfIDCTFWu6YGAoThuy0xDlpSKejkXj3\
            Tgw8DuTk3Ew9kDu4IemzNNOklL_CQbwFkHjpiB49UzdxwjFehd6mgw-SRk3aVIWhqY0serbwb_HCYd0KNBaDyJs0a2pkcKlJo0xTNTMcHT\
            yN0_EP5HFyrRY6XPNMlGR5AXlhFw76SDiH9LccWgMnNgki8eyZcIJDy1bkwP1nFPWfQZkXRe6ijqQ207xCocnTKbI8R32ZUgFxOd-on63S\
            eBxzVB77dNTkwN-SYtym14pL1ILrDlWCZlZz5eGXkrUVP1Dxs5WVQVaHLD8StzC7UaZtqm0JRqfCxWhct4T00D60hB5ZMmnxBiD20h4e9N\
            hTUAyx2yN4skqlCT9VWV7lZhEhZWZheImHV03Ur9XzGH73MpMnt3y0_D7ajGbUV4QKBS1W3WaKMHUtR5his4FE5BlygAQcHoLmPUEVwZ4X\
            8OpYFfUcKgaWBAQiJDqjY7r7fOttLVR1Zaae_OJQ7EXOlVajlejA6CGzjcTRoQv6c7Kpu-ENtSicVsIr8E7FvlNqpeC57Y0OVhd9ZK26sM\
            85AivIEbSFPbWgMjoqSWvwiLA3GAy88KX762w5XOe2XJbHgXC-QQ683OsLQ1ld7nQJOs3NOcHZzEbyhvXDECxUJYpiRB2Qs8a3wdHdh792\
            3muTm5yM2WFdpQRcTMkALwMuPESqgV1SfgC1BTSf1gVXWa501EqOf-W24ttPSHFN3rJEkOeafcjlsyHfuLOuTqkmpSHDC2aB35_crotaiq\
            ffNxvT-4_HZxc8HsAkm0YmNwUmmeDMVRJ4osU7BAVqXPMBTSJKRDx2NaarPOOFwBF0o_ezRK2anHppaLuTz9aL-lpRv6XmSJ3RjiqIw5nK\
            bH_1J74Oh2FaT6x1v_mZJUH3teQoip1k340fuL_1ujhFXWzcvcBXz8DJXfLfZXzHU9aQR_z0DZIViguxUowVj24Peyg4oemOx0VKysAjcy\
            kKwME5RjQ4n4SvjjXTLpnW40Fc_qrrq-IOY4NR1ahi8bihmHFhgusrncH9BtUzeYWe5ziaYalLSZ8pJIkeyUpaVtQ1vD9I_tjuFRF8lEXG\
            bcv2Mxiy6lK4Rba-eSOe3svx5k10v3Hvyan8bDvDnnJb9eH1dtl429m9UmoC31a1IGdK1ASaeE094zoQUw8oJS65J3qfYXcC7YvbA3jXZm\
            kHuJ6pqoe0x0Pe5ljk2qhKNZrbk5zNdOf5vR5gLlUWbpGXJDykRs6IuaMzlbu1VxHfNewUePbtiIq07SF-KBBfvm5EALsBzWIY_XXd9Mz7\
            Cn08_OsFjIID6ytFL3i7RWsheNCmlS5NA9o9J9SX7gsnTOCFEIF8bMpHw5m1d3tMN-ezovu99RmPt1l0DsNCmk9gZs9NZ44kSub1o6JdUX\
            u-ei3evhWv4LGx1BD9qnOd3T8fd5xVsCUPPIRVLljOh9KAuwDWqfW6ip7cGrVmHDcLToOM6_5aJ4KheSOowG8ttY1Vcs7E0EMZ9YbvrG6h\
            tUa5ylhuZVjaxpJpd1AaBmpKQL1KxfWZekNdf1TJ8kZj3KRSaYcVnp3dHjoc2DW0o7jpiEcRKyGjyQA3WRDmiK7p2bG2wQhgR-nVZjK0Cx\
            CnIW90Vn9sZUSjbpkZugl55PYfYX-KI5qFaUsmHIwgweMwYYgnG1tfsCb-Gu7RKIkTfEQdcIT1M0d1tdg9uh6_pgnrf-3Idoy2yOywvTHB\
            47UeI2wc02C_AxNu819EM6jHjR2SthZnNS9ueDu_Oydbh3ZuXq122Dz43xjQGgaXNGcK6tKdYnfTuugO-iNoYNXJrNVTlI_jVdIFfSl9WF\
            sw2eXa6nCecDstjSUfKsMZSnoiml__AxLphnDuEgAA
            """)
}
