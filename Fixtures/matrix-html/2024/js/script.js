document.querySelector(".mx_EventTile")
