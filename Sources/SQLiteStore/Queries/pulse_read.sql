SELECT ready, visible FROM pulse
