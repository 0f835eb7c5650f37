// Made from Console/Web/console.html: REGENERATE_WEB=1 swift test --skip-build --filter WebFileTests

extension WebFile {
    static let consolePage = WebFile(
        name: "console.html",
        content: """
            H4sIAAAAAAACA61YzY7bNhC-5ylY9bq2swEC9CArWCzSdtsgCLJb9ExLY4s1Jaok5Y1z6tP0FXrvo_RJ-vFHf7bX3rQBFkuJmiFnvvl3-k\
            2hcrtviJW2ktmL1C1M8nqzTKhO3AbxAktFlrO85NqQXSatXc--S7rtmle0THaCHhulbcJyVVuqQfYoClsuC9qJnGb-5YqJWljB5czkXNLy\
            2h1ihZWU3araKEns77-YVVuqZ41WO1GQTheB4EUqRb1lmuQyEbgjYaWm9TLhBjKZhduam90mmRAau5dkSiJ7QO4_zHNjHL3JtWgsc0Ask0\
            oVraSEGZ331HkQbv4byNNFIAffIqKzUsUeCxCSYMCtW9F0931bcQEk77EFxTpw0gWP4JLuuFZcQxjG0kLsur21Brh-d7pf--1UVJuJnD0I\
            jEsYIDKCtbzOpqiy1DS87gWuuJTs91Y4nEQBa5I2Ahg7bUGHBScEKRYQIz7WfMe4Fnwm-cqhfU-5BZcZ7m1l94gXKTJgFGExltsWlPd-dX\
            ikCxA8Qe1cz4L61q-XqPG_NVyC_mN8usRBnxrp7fQ2PFyiF7VpoGyS3YWHi_Krei02rebWo3o7fj3kTRcdaukCCB8bX4qdM743oDNWfI-W\
            WrXWqjo6c3hJejtLUQUDN7w1YPrglnQRyLLetvEhODhpF-kAZeqU_hjv3MzylagL-rRMZtfBhU3whJF3SCpWexeQwexBqfJVd2ZbG0LG8Y\
            ceukb56hiDnOuCmbaquN5HrviSpU1HFBw6e6d4IerNP3_8mS6abOzArezPKynfmnBSfM46QwDZoM551Szpysx8sur1C_A5Pd3BEwp4mtBk\
            WE2f7KAjmA7FvyVtxVrk3JK5YlvaG8brgklhrGEQRNXErKgIWY_mbHCLcFut7Mg5oH_0rM6yp4AF_YCMPyYZToy4jHzlWeh0EXwSmO7jO2\
            4su37NKlG30PYsLB-UqC3j-POFyV4xpdla5a1hwnqE4NrMlgRZtHr0wM2fAcBGiyLGiFTWq_tlmg7Z56Suw-d3zqKW6T5HndH2AXpIh87r\
            l9AJWjvFpEL6L9Wj8T6w2rtlzu4Kgy9qy7hxVHtWKJTdjmH-TB9gqHJKymSQmYpxpL9MGL6T-7ZxOW1SCB74CqVcrdmg7HkUj2UoudzRqJ\
            Ksla6m8lmeb4N4MXvPHE1ybJA-uQ_J-cAmh-kfPlVQLozPzoNVTlrmV9XKAugKw9DTSJTWDQXz-Ip75V0RtnksRV4yjd7iDXuvwkcGpgqS\
            DEY5NkzQXpAsUOInkkjaUF1kt_5WVJDwOqYY27RUaMO6DOdZTDImdgc60NBV1E3bdUMaqVMlsccLbAnbcdni1auA2uLSJRUZe_AqIQpvPt\
            y5cINI_sD_dUnodNh7LM6hkNu-6umIGHc6GjNNBRoz4QPx6ORR0QivxwbxYA_gzgI6WZAIiUl3gGW356_qHaxEgouJ1_du_j27B6vrJL3H\
            FZwqXwLkfg4tsFdvnFMh0DdUTN0KR1vUGq6JD4fGcCnINbWrWMiG2xhvrcpV1UiygEut12iMG0SWNzpaAejgy0t3cnaI1AEq3pysFAUQmG\
            ADi4aP2YF9kSIkkoQ_ZCByWcRtn7yv61O8jZLDiJhei3SWZD_jv_Mur_nJiz3ZU5eO1FwLbezU6n5rhqKS3RWnnTZ4a8_uaJ8N_FOCILEq\
            yHwK6vDJS_TAzRaFs3E5mMtL0g2M_028M7ZChU763jXuVdOO_LBJPVA45nBXpUJh6trICQMiF0XiWVUl9vhPVZV-BHiyqhwOCagq0cEulZ\
            QS5cKXle8lRlf2tt5AsVBMCd3NG-bagRj7oVvteh4EPlrKkAguVpXDYGjQYJDzinEYXEhNgSfmppuh5rGb1pZKi89-xmHh7ivXrLUavaVC\
            s-5iTjtSXptH0uezVZTtRLoaS_B18tVFn-ynvs4nTw5dPu1JcmP9rVsuunB0mC9w4S_uwqdz6BOdn4-B4beDg1797CgLzz50tLToZ4k1z2\
            3XgkQ-8nm1kAP1EwY4xlaTxGTnhny39ugOuI5_4oih9RGi-baYrYXE9MU3MOiVa5Xv73748ZcPaJbJzNnNGrMO_HLkjoQpQnvORtNOKMwZ\
            EygcbH7CiJPW2GKdgYPEl-zbUT9yYRHGk8-nDJ4unFdibU5O01ycuA-RltYq_pI1MK4kr7du2kAP0fANYTol4PUT3_F7Tzv3qce4biyYDx\
            BqcmPYAtFU7D_7LLSoyGqRh3krXfQXQdT4W9ki_OD4L8yTJbKBFAAA
            """)
}
