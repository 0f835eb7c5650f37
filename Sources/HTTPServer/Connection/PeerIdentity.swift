/// Who the peer of a secure connection has proved to be. Only who makes the transport and who serves know more of it.
package protocol PeerIdentity: AnyObject, Sendable {}
