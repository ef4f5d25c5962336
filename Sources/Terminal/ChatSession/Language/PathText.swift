internal import Foundation

/// Paths as they are typed.
package enum PathText {
  /// Returns a path in which a tilde stands for the home folder.
  package static func expanded(_ path: String) -> String {
    path == "~" || path.hasPrefix("~/") ? NSHomeDirectory() + path.dropFirst() : path
  }
}
